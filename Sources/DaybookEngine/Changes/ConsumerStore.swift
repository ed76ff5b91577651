package import DaybookBytes
import DaybookLog

/// The positions of the named consumers of a store: a small file for each, in `consumers/` in the
/// store's directory.
///
/// A position is not part of the history. In the log, it would be a commit, and the consumer would
/// be notified of it. It is in a file next to the log, so a copy of the directory contains it.
package struct ConsumerStore: Sendable {
    private let engine: Engine
    private let fileSystem: any FileSystem
    private let path: String

    /// The name of the directory.
    package static let directoryName = "consumers"
    /// The maximum length of a name in bytes. It suits every file system.
    package static let nameLengthMax = 100

    package init(_ engine: Engine) {
        self.engine = engine
        fileSystem = engine.log.fileSystem
        path = engine.log.directory + "/" + Self.directoryName
    }

    /// Returns the position of a consumer; nil if it has none yet. In a store that was restored or
    /// copied, the position may be one of the original store, within the shared history.
    ///
    /// Throws `.invalidArgument` for an invalid name, `.corruption` if the contents of the file are
    /// damaged, `.historyOfAnotherStore` and `.permissionDenied`.
    package func position(of name: String) throws(DaybookError) -> ChangePosition? {
        try Self.check(name)
        let bytes: [UInt8]
        do throws(DaybookError) {
            bytes = try fileSystem.readAll(path + "/" + name)
        } catch  where error.code == .fileNotFound {
            return nil
        }
        guard let position = Self.parse(bytes) else { throw Self.damaged(name, path) }
        guard engine.sharesHistory(of: position.store, until: position.sequence) else {
            throw foreign(name, position)
        }
        return position
    }

    /// Writes the position of a consumer. The position is durable on return; a crash leaves the old
    /// position or the new one. Throws the errors of ``position(of:)``, and `.outOfSpace`.
    package func write(_ position: ChangePosition, of name: String) throws(DaybookError) {
        try Self.check(name)
        try fileSystem.createDirectory(path)
        try fileSystem.replaceAtomically(Self.line(position), named: name, in: path)
    }

    /// Removes a consumer's position. Does nothing if there is none.
    package func remove(_ name: String) throws(DaybookError) {
        try Self.check(name)
        do throws(DaybookError) {
            try fileSystem.remove(path + "/" + name)
        } catch  where error.code == .fileNotFound {
            return
        }
        try fileSystem.syncDirectory(path)
    }

    /// Returns the names of all consumers that have a position, sorted.
    package func names() throws(DaybookError) -> [String] {
        guard try fileSystem.kind(of: path) == .directory else { return [] }
        return try fileSystem.list(path).filter(Self.isName)
    }

    /// The acknowledged sequences of all consumers that read this store's history. Leaves out a
    /// consumer with a position in another history, which must start again in any case. Throws
    /// `.corruption` for a damaged position.
    func sequences() throws(DaybookError) -> [String: UInt64] {
        var sequences: [String: UInt64] = [:]
        for name in try names() {
            do throws(DaybookError) {
                sequences[name] = try position(of: name)?.sequence
            } catch  where error.code == .historyOfAnotherStore {
                continue
            }
        }
        return sequences
    }

    /// Acquires the lock of a running consumer. It excludes other runs in this process and in
    /// others; the end of the process releases it. The lock file is never removed, because another
    /// process may have it open.
    ///
    /// Throws `.locked` if the consumer is running, and the errors of ``write(_:of:)``.
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

    /// Moves the positions of all consumers of a closed store that are after a sequence back to it,
    /// because the transactions after it will be removed. Throws `.corruption` for a damaged
    /// position.
    static func limit(
        to sequence: UInt64, in directory: String, _ fileSystem: any FileSystem
    ) throws(DaybookError) {
        let path = directory + "/" + directoryName
        guard try fileSystem.kind(of: path) == .directory else { return }
        for name in try fileSystem.list(path) where isName(name) {
            guard let position = parse(try fileSystem.readAll(path + "/" + name)) else {
                throw damaged(name, path)
            }
            guard position.sequence > sequence else { continue }
            let limited = ChangePosition(store: position.store, sequence: sequence)
            try fileSystem.replaceAtomically(line(limited), named: name, in: path)
        }
    }

    // MARK: Names and files

    /// Whether a name is valid on every file system, including case-insensitive ones, and is not
    /// the name of a lock file or a temporary file.
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
            "'\(name)' is not a valid consumer name. Use 1 to \(nameLengthMax) of the letters a to"
                + " z, digits, '.', '-' and '_', without a leading '.' or a trailing '.tmp'.",
            details: ["consumer": name])
    }

    /// The contents of the file: `uuid:sequence` and a checksum.
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

    private static func damaged(_ name: String, _ path: String) -> DaybookError {
        DaybookError(
            .corruption,
            "The position of the consumer '\(name)' is damaged. Reset the consumer to a position"
                + " up to which it has certainly processed all changes.",
            details: ["consumer": name, "path": path + "/" + name])
    }

    private func foreign(_ name: String, _ position: ChangePosition) -> DaybookError {
        DaybookError(
            .historyOfAnotherStore,
            "The position of the consumer '\(name)', \(position), belongs to the history of another"
                + " store, or to a part of it that was not restored. Reset the consumer to a"
                + " position in this store.",
            details: ["consumer": name, "position": "\(position)"])
    }

    private func running(_ name: String, _ cause: DaybookError) -> DaybookError {
        let holder = cause.details["holder"] ?? ""
        return DaybookError(
            .locked,
            "The consumer '\(name)' is already running, in"
                + " \(holder.isEmpty ? "another process" : holder). Only one run is possible at a"
                + " time: end that run and try again, or use another name.",
            cause: cause, details: ["consumer": name, "holder": holder])
    }
}
