package import Daybook

/// A note of a test.
package final class Note {
    package var id: Id = 0
    package var text: String
    /// Another note; nil for none.
    package var parent: ToOne<Note> = nil

    package init(_ text: String, parent: Note? = nil) {
        self.text = text
        self.parent.target = parent
    }
}

extension Note: Entity {
    package static let entityDescription = EntityDescription(
        "Note", [.property("text", String.self, .index), .property("parent", ToOne<Note>.self)])

    package static let text = Property<Note, String>("text")

    package static func decode(_ row: borrowing RowReader) throws -> Note {
        let note = Note(try row.read(0))
        note.id = row.id
        note.parent = try row.read(1)
        return note
    }

    package func encode(into row: inout RowWriter) throws {
        try row.write(text, at: 0)
        try row.write(parent, at: 1)
    }

    package var entityId: Id {
        get { id }
        set { id = newValue }
    }
}
