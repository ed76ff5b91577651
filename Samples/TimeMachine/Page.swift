import Daybook

/// A page of a wiki with several authors.
struct Page {
    var id: Id = 0
    /// The title that identifies the page.
    var title: String
    var text: String
    var isLocked = false
}

extension Page: Entity {
    static let entityDescription = EntityDescription(
        "Page",
        [
            .property("title", String.self, .primaryKey),
            .property("text", String.self),
            .property("isLocked", Bool.self),
        ])

    static let title = Property<Page, String>("title")

    static func decode(_ row: borrowing RowReader) throws -> Page {
        Page(
            id: row.id, title: try row.read(0), text: try row.read(1), isLocked: try row.read(2))
    }

    func encode(into row: inout RowWriter) throws {
        try row.write(title, at: 0)
        try row.write(text, at: 1)
        try row.write(isLocked, at: 2)
    }

    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}
