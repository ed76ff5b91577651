import Daybook

/// An entity with a handwritten conformance.
struct Guest: Entity, Equatable {
    var id: Id = 0
    var email: String
    var city = ""

    static let entityDescription = EntityDescription(
        "Guest",
        [.property("email", String.self, .index(.value)), .property("city", String.self)])
    static func decode(_ row: borrowing RowReader) throws -> Guest {
        Guest(id: row.id, email: try row.read(0), city: try row.read(1))
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(email, at: 0)
        try row.write(city, at: 1)
    }
    var entityId: Id {
        get { id }
        set { id = newValue }
    }

    static var city: Property<Guest, String> { Property("city") }
}
