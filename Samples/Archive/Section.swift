import Daybook

/// A section of the archive, such as `main/net`. Sections form a tree.
final class Section {
    var id: Id = 0
    let path: String
    /// The parent section; none for a top-level section.
    var parent: ToOne<Section> = nil
    var children: ToMany<Section> = nil
    var packages: ToMany<DebianPackage> = nil

    /// Creates a section and its parent sections. Stores nothing.
    init(path: String) {
        self.path = path
        guard let slash = path.lastIndex(of: "/") else { return }
        parent = ToOne(Section(path: String(path[..<slash])))
    }

    private init(stored path: String) { self.path = path }

    /// Returns the full path of a section in an index: `net` means `main/net`; `contrib/net` is
    /// unchanged.
    static func path(_ text: String) -> String { text.contains("/") ? text : "main/" + text }

    /// The name within the parent section.
    var name: String { path.split(separator: "/").last.map(String.init) ?? path }
}

extension Section: Entity {
    // Removing a section also removes its child sections. A section with packages cannot be
    // removed.
    static let entityDescription = EntityDescription(
        "Section",
        [.property("path", String.self, .primaryKey), .property("parent", ToOne<Section>.self)],
        .backlink("children", \Section.parent, "parent", onDelete: .cascade),
        .backlink("packages", \DebianPackage.section, "section", onDelete: .deny))

    static let path = Property<Section, String>("path")

    static func decode(_ row: borrowing RowReader) throws -> Section {
        let section = Section(stored: try row.read(0))
        section.id = row.id
        section.parent = try row.read(1)
        section.children = row.backlink(0)
        section.packages = row.backlink(1)
        return section
    }

    func encode(into row: inout RowWriter) throws {
        try row.write(path, at: 0)
        try row.write(parent, at: 1)
        try row.write(children, backlink: 0)
        try row.write(packages, backlink: 1)
    }

    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}
