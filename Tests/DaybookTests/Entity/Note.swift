import Daybook

/// An entity that is a struct, with a handwritten conformance.
struct Note: Entity, Equatable {
    var id: Id = 0
    var text: String
    var stars: Int? = nil

    static var entityDescription: EntityDescription {
        EntityDescription(
            "Note", [.property("text", String.self), .property("stars", Int?.self)])
    }
    static func decode(_ row: borrowing RowReader) throws -> Note {
        Note(id: row.id, text: try row.read(0), stars: try row.read(1))
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(text, at: 0)
        try row.write(stars, at: 1)
    }
    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}
