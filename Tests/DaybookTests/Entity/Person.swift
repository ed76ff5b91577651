import Daybook

/// An entity that is a class, with a handwritten conformance.
final class Person: Entity {
    var id: Id = 0
    var name: String

    init(_ name: String, id: Id = 0) {
        self.name = name
        self.id = id
    }

    static let entityDescription = EntityDescription("Person", [.property("name", String.self)])
    static func decode(_ row: borrowing RowReader) throws -> Person {
        Person(try row.read(0), id: row.id)
    }
    func encode(into row: inout RowWriter) throws {
        if name == "unstorable" { throw Refusal(number: 99) }
        try row.write(name, at: 0)
    }
    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}
