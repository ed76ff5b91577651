import Daybook

// The code that `@Entity` would generate: the description, and the reading and writing of each
// property. The three lists have the same order.

extension DebianPackage: Entity {
    static let entityDescription = EntityDescription(
        "Package",
        [
            .property("list", String.self),
            .property("name", String.self, .index),
            .property("version", String.self),
            .property("architecture", String.self),
            .property("source", String?.self),
            .property("priority", String?.self),
            .property("multiArch", String?.self),
            .property("homepage", String?.self),
            .property("summary", String?.self, .index(.text)),
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
            // A maintainer is removed together with the last of its packages.
            .property(
                "maintainer", ToOne<Maintainer>.self, .relation(removesOrphans: true)),
            .property("section", ToOne<Section>.self),
            .property("dependsOn", ToMany<DebianPackage>.self),
        ],
        .backlink("requiredBy", \DebianPackage.dependsOn, "dependsOn"))

    // The properties that queries use.
    static let name = Property<DebianPackage, String>("name")
    static let summary = Property<DebianPackage, String?>("summary")
    static let size = Property<DebianPackage, Int?>("size")
    static let section = Property<DebianPackage, ToOne<Section>>("section")

    static func decode(_ row: borrowing RowReader) throws -> DebianPackage {
        var fields = PackageFields()
        fields.list = try row.read(0)
        fields.name = try row.read(1)
        fields.version = try row.read(2)
        fields.architecture = try row.read(3)
        fields.source = try row.read(4)
        fields.priority = try row.read(5)
        fields.multiArch = try row.read(6)
        fields.homepage = try row.read(7)
        fields.summary = try row.read(8)
        fields.summaryMD5 = try row.read(9)
        fields.tags = try row.read(10)
        fields.depends = try row.read(11)
        fields.preDepends = try row.read(12)
        fields.recommends = try row.read(13)
        fields.suggests = try row.read(14)
        fields.enhances = try row.read(15)
        fields.breaks = try row.read(16)
        fields.conflicts = try row.read(17)
        fields.replaces = try row.read(18)
        fields.provides = try row.read(19)
        fields.builtUsing = try row.read(20)
        fields.installedSizeKiB = try row.read(21)
        fields.size = try row.read(22)
        fields.fileName = try row.read(23)
        fields.md5 = try row.read(24)
        fields.sha256 = try row.read(25)
        fields.others = try row.read(26)
        return DebianPackage(
            id: row.id, fields: fields, maintainer: try row.read(27), section: try row.read(28),
            dependsOn: try row.read(29), requiredBy: row.backlink(0))
    }

    func encode(into row: inout RowWriter) throws {
        try row.write(fields.list, at: 0)
        try row.write(fields.name, at: 1)
        try row.write(fields.version, at: 2)
        try row.write(fields.architecture, at: 3)
        try row.write(fields.source, at: 4)
        try row.write(fields.priority, at: 5)
        try row.write(fields.multiArch, at: 6)
        try row.write(fields.homepage, at: 7)
        try row.write(fields.summary, at: 8)
        try row.write(fields.summaryMD5, at: 9)
        try row.write(fields.tags, at: 10)
        try row.write(fields.depends, at: 11)
        try row.write(fields.preDepends, at: 12)
        try row.write(fields.recommends, at: 13)
        try row.write(fields.suggests, at: 14)
        try row.write(fields.enhances, at: 15)
        try row.write(fields.breaks, at: 16)
        try row.write(fields.conflicts, at: 17)
        try row.write(fields.replaces, at: 18)
        try row.write(fields.provides, at: 19)
        try row.write(fields.builtUsing, at: 20)
        try row.write(fields.installedSizeKiB, at: 21)
        try row.write(fields.size, at: 22)
        try row.write(fields.fileName, at: 23)
        try row.write(fields.md5, at: 24)
        try row.write(fields.sha256, at: 25)
        try row.write(fields.others, at: 26)
        try row.write(maintainer, at: 27)
        try row.write(section, at: 28)
        try row.write(dependsOn, at: 29)
        try row.write(requiredBy, backlink: 0)
    }

    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}
