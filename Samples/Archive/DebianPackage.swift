// Archive: Debian's package index, some 60,000 packages of twenty-odd fields, what they depend on,
// who looks after them, and the sections that they stand in, kept in a store. It shows how a
// program uses Daybook through its public module alone: entities and relations without the macro,
// an import that writes only what changed, and what the command can do with the history afterwards.

import Daybook

/// One package of one list, and what it relates to.
struct DebianPackage {
    var id: Id = 0
    /// What the index says of it.
    var fields = PackageFields()
    /// Who looks after it.
    var maintainer: ToOne<Maintainer> = nil
    /// Where it stands in the archive.
    var section: ToOne<Section> = nil
    /// The packages that it does not work without, found by ``Linking`` in the text of its fields.
    var dependsOn: ToMany<DebianPackage> = nil
    /// The packages that do not work without it.
    var requiredBy: ToMany<DebianPackage> = nil
}

/// What an index says of one package, but for what is a relation.
struct PackageFields: Equatable {
    /// What every package has, and tells it from the others.
    struct Identity: Hashable {
        var list: String
        var name: String
        var architecture: String
    }

    /// The index file that it came from, without its ending.
    var list = ""
    var name = ""
    var version = ""
    var architecture = ""
    var source: String?
    var priority: String?
    var multiArch: String?
    var homepage: String?
    var summary: String?
    var summaryMD5: [UInt8]?
    var tags: String?
    var depends: String?
    var preDepends: String?
    var recommends: String?
    var suggests: String?
    var enhances: String?
    var breaks: String?
    var conflicts: String?
    var replaces: String?
    var provides: String?
    var builtUsing: String?
    /// In KiB.
    var installedSizeKiB: Int?
    /// Of the package's file, in bytes.
    var size: Int?
    var fileName: String?
    var md5: [UInt8]?
    var sha256: [UInt8]?
    /// The rarer fields, as lines of `Name: value`.
    var others: String?

    var identity: Identity { Identity(list: list, name: name, architecture: architecture) }
}
