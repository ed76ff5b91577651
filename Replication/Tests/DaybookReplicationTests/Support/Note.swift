import Daybook

/// A note of a test.
final class Note {
    var id: Id = 0
    var text: String
    /// Another note; nil for none.
    var parent: ToOne<Note> = nil

    init(_ text: String, parent: Note? = nil) {
        self.text = text
        self.parent.target = parent
    }
}

extension Note: Entity {
    static let entityDescription = EntityDescription(
        "Note", [.property("text", String.self, .index), .property("parent", ToOne<Note>.self)])

    static let text = Property<Note, String>("text")

    static func decode(_ row: borrowing RowReader) throws -> Note {
        let note = Note(try row.read(0))
        note.id = row.id
        note.parent = try row.read(1)
        return note
    }

    func encode(into row: inout RowWriter) throws {
        try row.write(text, at: 0)
        try row.write(parent, at: 1)
    }

    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}
