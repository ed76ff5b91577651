import Foundation

/// Runs `daybook compact`, which packs the log of a closed store into compressed blocks.
enum CompactCommand {
    /// Compacts the store and keeps all history. Returns false if the command was not built: the
    /// sizes are then those of a store that was only closed.
    static func run(_ directory: String) throws -> Bool {
        guard let command = ProcessInfo.processInfo.environment["DAYBOOK_COMMAND"],
            FileManager.default.isExecutableFile(atPath: command)
        else { return false }
        try ChildProcess.run(command, ["compact", "--quiet", directory])
        return true
    }
}
