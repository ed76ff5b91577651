import Daybook

/// A maintainer of packages.
final class Maintainer {
    var id: Id = 0
    /// The name and address, as in the index.
    let text: String
    /// The packages of the maintainer.
    var packages: ToMany<DebianPackage> = nil

    init(_ text: String) { self.text = text }
}

extension Maintainer: Entity {
    static let entityDescription = EntityDescription(
        "Maintainer", [.property("text", String.self, .primaryKey)],
        .backlink("packages", \DebianPackage.maintainer, "maintainer"))

    static let text = Property<Maintainer, String>("text")
    static let packages = Property<Maintainer, ToMany<DebianPackage>>("packages")

    static func decode(_ row: borrowing RowReader) throws -> Maintainer {
        let maintainer = Maintainer(try row.read(0))
        maintainer.id = row.id
        maintainer.packages = row.backlink(0)
        return maintainer
    }

    func encode(into row: inout RowWriter) throws {
        try row.write(text, at: 0)
        try row.write(packages, backlink: 0)
    }

    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}
