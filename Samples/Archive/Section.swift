import Daybook

/// A part of the archive, such as `main/net`. Parts stand in parts: a tree.
final class Section {
    var id: Id = 0
    let path: String
    /// The part that it stands in; the parts of the whole archive stand in none.
    var parent: ToOne<Section> = nil
    var children: ToMany<Section> = nil
    var packages: ToMany<DebianPackage> = nil

    /// A section, with those above it as its parents. Nothing is stored yet.
    init(path: String) {
        self.path = path
        guard let slash = path.lastIndex(of: "/") else { return }
        parent = ToOne(Section(path: String(path[..<slash])))
    }

    private init(stored path: String) { self.path = path }

    /// The path of what an index calls `net`, short for `main/net`, or `contrib/net`.
    static func path(_ text: String) -> String { text.contains("/") ? text : "main/" + text }

    /// What it is called inside the one that it stands in.
    var name: String { path.split(separator: "/").last.map(String.init) ?? path }
}

extension Section: Entity {
    // A section goes with the one that it stands in, and none goes that has packages.
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
