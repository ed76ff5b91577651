import Daybook

// What `@Entity` would write: the description, and each property read and written at its place in
// it. The three lists stand in the same order.

extension DebianPackage: Entity {
    static let entityDescription = EntityDescription(
        "Package",
        [
            .property("list", String.self),
            .property("name", String.self),
            .property("version", String.self),
            .property("architecture", String.self),
            .property("source", String?.self),
            .property("section", String?.self),
            .property("priority", String?.self),
            .property("multiArch", String?.self),
            .property("maintainer", String?.self),
            .property("homepage", String?.self),
            .property("summary", String?.self),
            .property("summaryMD5", [UInt8]?.self),
            .property("tags", String?.self),
            .property("depends", String?.self),
            .property("preDepends", String?.self),
            .property("recommends", String?.self),
            .property("suggests", String?.self),
            .property("enhances", String?.self),
            .property("breaks", String?.self),
            .property("conflicts", String?.self),
            .property("replaces", String?.self),
            .property("provides", String?.self),
            .property("builtUsing", String?.self),
            .property("installedSizeKiB", Int?.self),
            .property("size", Int?.self),
            .property("fileName", String?.self),
            .property("md5", [UInt8]?.self),
            .property("sha256", [UInt8]?.self),
            .property("others", String?.self),
        ])

    static func decode(_ row: borrowing RowReader) throws -> DebianPackage {
        var package = DebianPackage(id: row.id)
        package.list = try row.read(0)
        package.name = try row.read(1)
        package.version = try row.read(2)
        package.architecture = try row.read(3)
        package.source = try row.read(4)
        package.section = try row.read(5)
        package.priority = try row.read(6)
        package.multiArch = try row.read(7)
        package.maintainer = try row.read(8)
        package.homepage = try row.read(9)
        package.summary = try row.read(10)
        package.summaryMD5 = try row.read(11)
        package.tags = try row.read(12)
        package.depends = try row.read(13)
        package.preDepends = try row.read(14)
        package.recommends = try row.read(15)
        package.suggests = try row.read(16)
        package.enhances = try row.read(17)
        package.breaks = try row.read(18)
        package.conflicts = try row.read(19)
        package.replaces = try row.read(20)
        package.provides = try row.read(21)
        package.builtUsing = try row.read(22)
        package.installedSizeKiB = try row.read(23)
        package.size = try row.read(24)
        package.fileName = try row.read(25)
        package.md5 = try row.read(26)
        package.sha256 = try row.read(27)
        package.others = try row.read(28)
        return package
    }

    func encode(into row: inout RowWriter) throws {
        try row.write(list, at: 0)
        try row.write(name, at: 1)
        try row.write(version, at: 2)
        try row.write(architecture, at: 3)
        try row.write(source, at: 4)
        try row.write(section, at: 5)
        try row.write(priority, at: 6)
        try row.write(multiArch, at: 7)
        try row.write(maintainer, at: 8)
        try row.write(homepage, at: 9)
        try row.write(summary, at: 10)
        try row.write(summaryMD5, at: 11)
        try row.write(tags, at: 12)
        try row.write(depends, at: 13)
        try row.write(preDepends, at: 14)
        try row.write(recommends, at: 15)
        try row.write(suggests, at: 16)
        try row.write(enhances, at: 17)
        try row.write(breaks, at: 18)
        try row.write(conflicts, at: 19)
        try row.write(replaces, at: 20)
        try row.write(provides, at: 21)
        try row.write(builtUsing, at: 22)
        try row.write(installedSizeKiB, at: 23)
        try row.write(size, at: 24)
        try row.write(fileName, at: 25)
        try row.write(md5, at: 26)
        try row.write(sha256, at: 27)
        try row.write(others, at: 28)
    }

    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}
