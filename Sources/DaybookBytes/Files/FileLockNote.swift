/// The first line of a lock file: who holds the lock, for people. It proves nothing, for a process
/// that dies leaves its note behind: only the operating system's lock says whether one is held.
enum FileLockNote {
    private static let lengthMax = 1024

    /// The note as the bytes of a lock file.
    static func line(_ note: String) -> [UInt8] {
        Array("\(note.prefix { !$0.isNewline })\n".utf8)
    }

    /// The note among the bytes of a lock file.
    static func firstLine(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    /// The note in a lock file; empty where it cannot be read.
    static func read(_ file: any File) -> String {
        firstLine((try? file.read(lengthMax, at: 0)) ?? [])
    }

    /// Replaces whatever note is there.
    static func write(_ note: String, to file: any File) throws(DaybookError) {
        try file.resize(to: 0)
        try file.write(line(note).span, at: 0)
    }

    /// The error of a lock that is taken.
    static func locked(_ path: String, holder: String) -> DaybookError {
        let who = holder.isEmpty ? "another process" : holder
        return DaybookError(
            .locked, "\"\(path)\" is locked by \(who). Close that store and try again.",
            details: ["path": path, "operation": "lock", "holder": holder])
    }
}
