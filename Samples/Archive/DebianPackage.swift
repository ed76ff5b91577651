// Archive: Debian's package index, some 60,000 packages of twenty-odd fields, kept in a store. It
// shows how a program uses Daybook through its public module alone: an entity without the macro, an
// import that writes only what changed, and what the command can do with the history afterwards.

import Daybook

/// One package of one list, with the fields that the index has for it.
struct DebianPackage: Equatable {
    /// What every package has, and tells it from the others.
    struct Identity: Hashable {
        var list: String
        var name: String
        var architecture: String
    }

    var id: Id = 0
    /// The index file that it came from, without its ending.
    var list = ""
    var name = ""
    var version = ""
    var architecture = ""
    var source: String?
    var section: String?
    var priority: String?
    var multiArch: String?
    var maintainer: String?
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
