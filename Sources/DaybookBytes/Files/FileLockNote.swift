/// The first line of a lock file, which names the holder for people. It is only a hint: the note of
/// a process that died remains. Only the operating system knows whether the lock is held.
enum FileLockNote {
    private static let lengthMax = 1024

    /// The bytes of a lock file with this note.
    static func line(_ note: String) -> [UInt8] {
        Array("\(note.prefix { !$0.isNewline })\n".utf8)
    }

    /// Extracts the note from the bytes of a lock file.
    static func firstLine(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    /// Reads the note from a lock file; empty if it cannot be read.
    static func read(_ file: any File) -> String {
        firstLine((try? file.read(lengthMax, at: 0)) ?? [])
    }

    /// Replaces the note.
    static func write(_ note: String, to file: any File) throws(DaybookError) {
        try file.resize(to: 0)
        try file.write(line(note).span, at: 0)
    }

    /// The error for a lock that another holder has.
    static func locked(_ path: String, holder: String) -> DaybookError {
        let holderText =
            switch holder {
            case "process \(ProcessIdentity.current)":
                "this process, which has opened the store already. Use that store, or close it"
                    + " first."
            case "": "another process. Close that store and try again."
            default: "\(holder). Close that store and try again."
            }
        return DaybookError(
            .locked, "\"\(path)\" is locked by \(holderText)",
            details: ["path": path, "operation": "lock", "holder": holder])
    }
}
