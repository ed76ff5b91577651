// Archive: Debian's package index, about 60,000 packages with more than 20 fields, their
// dependencies, maintainers and sections, in a store. The sample shows how a program uses Daybook
// through its public module alone: entities and relations without the macro, an import that writes
// only the changes, and the command's work with the history afterwards.

import Daybook

/// A package of a list, and its relations.
struct DebianPackage {
    var id: Id = 0
    /// The fields of the index entry.
    var fields = PackageFields()
    /// Who looks after it.
    var maintainer: ToOne<Maintainer> = nil
    /// The section of the archive that contains the package.
    var section: ToOne<Section> = nil
    /// The packages that this package depends on. ``Linking`` derives them from its fields.
    var dependsOn: ToMany<DebianPackage> = nil
    /// The packages that depend on this package.
    var requiredBy: ToMany<DebianPackage> = nil
}

/// The fields of an index entry, except the relations.
struct PackageFields: Equatable {
    /// The fields that identify a package.
    struct Identity: Hashable {
        var list: String
        var name: String
        var architecture: String
    }

    /// The name of the index file without its extension.
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
    /// The installed size, in KiB.
    var installedSizeKiB: Int?
    /// The size of the package's file, in bytes.
    var size: Int?
    var fileName: String?
    var md5: [UInt8]?
    var sha256: [UInt8]?
    /// The less common fields, as lines of `Name: value`.
    var others: String?

    var identity: Identity { Identity(list: list, name: name, architecture: architecture) }
}
