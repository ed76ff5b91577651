package import DaybookBytes
import DaybookLog

/// Where the named consumers of a store are: a small file for each, in `consumers/` in the store's
/// directory.
///
/// A position is no part of the history: written there, it would be a commit of its own, which the
/// consumer would be told of. So it stands beside the log, and what copies the directory copies it.
package struct ConsumerStore: Sendable {
    private let engine: Engine
    private let fileSystem: any FileSystem
    private let path: String

    /// The directory's name.
    package static let directoryName = "consumers"
    /// Long enough for a name that says something, short enough for every file system.
    package static let nameLengthMax = 100

    package init(_ engine: Engine) {
        self.engine = engine
        fileSystem = engine.log.fileSystem
        path = engine.log.directory + "/" + Self.directoryName
    }

    /// The position of a consumer; nil for one that has none yet. In a store that was restored or
    /// copied it may be one of the store that it was made from, in what both share.
    ///
    /// Throws `.invalidArgument` for a name that no consumer can have, `.corruption` for a file
    /// that is not what was written, `.historyOfAnotherStore`, `.permissionDenied`.
    package func position(of name: String) throws(DaybookError) -> ChangePosition? {
        try Self.check(name)
        let bytes: [UInt8]
        do throws(DaybookError) {
            bytes = try fileSystem.readAll(path + "/" + name)
        } catch  where error.code == .fileNotFound {
            return nil
        }
        guard let position = Self.parse(bytes) else { throw damaged(name) }
        guard engine.sharesHistory(of: position.store, until: position.sequence) else {
            throw foreign(name, position)
        }
        return position
    }

    /// Writes the position of a consumer: it is durable on return, and a crash leaves the old one
    /// or the new one. Throws as ``position(of:)`` does, and `.outOfSpace`.
    package func write(_ position: ChangePosition, of name: String) throws(DaybookError) {
        try Self.check(name)
        try fileSystem.createDirectory(path)
        try fileSystem.replaceAtomically(Self.line(position), named: name, in: path)
    }

    /// Forgets a consumer; one that is not there is fine.
    package func remove(_ name: String) throws(DaybookError) {
        try Self.check(name)
        do throws(DaybookError) {
            try fileSystem.remove(path + "/" + name)
        } catch  where error.code == .fileNotFound {
            return
        }
        try fileSystem.syncDirectory(path)
    }

    /// The names of all that have a position, sorted.
    package func names() throws(DaybookError) -> [String] {
        guard try fileSystem.kind(of: path) == .directory else { return [] }
        return try fileSystem.list(path).filter(Self.isName)
    }

    /// The lock that whoever runs a consumer holds, in this process or another; the death of the
    /// process gives it back. Its file stays: to remove it could take it from under somebody.
    ///
    /// Throws `.locked` where somebody runs the consumer, and as ``write(_:of:)`` does.
    package func lock(_ name: String) throws(DaybookError) -> any FileLock {
        try Self.check(name)
        try fileSystem.createDirectory(path)
        do throws(DaybookError) {
            return try fileSystem.lock(
                path + "/." + name + ".lock", note: "process \(ProcessIdentity.current)")
        } catch  where error.code == .locked {
            throw running(name, error)
        }
    }

    // MARK: Names and files

    /// What every file system takes, whatever it thinks of letters: and nothing that is the name of
    /// a lock or of a file that is being written.
    static func isName(_ name: String) -> Bool {
        guard let first = name.utf8.first, first != UInt8(ascii: "."), !name.hasSuffix(".tmp"),
            name.utf8.count <= nameLengthMax
        else { return false }
        return name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }

    private static func check(_ name: String) throws(DaybookError) {
        guard !isName(name) else { return }
        throw DaybookError(
            .invalidArgument,
            "'\(name)' cannot be a consumer's name. It takes 1 to \(nameLengthMax) of the letters a"
                + " to z, digits, '.', '-' and '_', with no '.' in front and no '.tmp' behind.",
            details: ["consumer": name])
    }

    /// `uuid:sequence`, and what proves that it is whole.
    private static func line(_ position: ChangePosition) -> [UInt8] {
        let text = Array(position.description.utf8)
        return text + Array(" \(XXH64.hash(text.span))\n".utf8)
    }

    private static func parse(_ bytes: [UInt8]) -> ChangePosition? {
        guard let text = try? String(checkingUTF8: bytes.span),
            let position = ChangePosition(String(text.prefix { $0 != " " })),
            line(position) == bytes
        else { return nil }
        return position
    }

    private func damaged(_ name: String) -> DaybookError {
        DaybookError(
            .corruption,
            "The position of the consumer '\(name)' is damaged. Reset the consumer to a position"
                + " that it has certainly dealt with.",
            details: ["consumer": name, "path": path + "/" + name])
    }

    private func foreign(_ name: String, _ position: ChangePosition) -> DaybookError {
        DaybookError(
            .historyOfAnotherStore,
            "The position of the consumer '\(name)', \(position), is one in the history of another"
                + " store, or in a part of it that was not restored. Reset the consumer to a"
                + " position in this one.",
            details: ["consumer": name, "position": "\(position)"])
    }

    private func running(_ name: String, _ cause: DaybookError) -> DaybookError {
        let holder = cause.details["holder"] ?? ""
        return DaybookError(
            .locked,
            "The consumer '\(name)' is running already, in"
                + " \(holder.isEmpty ? "another process" : holder). Run it once at a time: end that"
                + " run and try again, or take another name.",
            cause: cause, details: ["consumer": name, "holder": holder])
    }
}
