import Foundation

/// The command `daybook compact`, which gathers a closed store's log into compressed blocks.
enum CompactCommand {
    /// Compacts the store, keeping all history. False where the command was not built: then the
    /// sizes are those of a store that was only closed.
    static func run(_ directory: String) throws -> Bool {
        guard let command = ProcessInfo.processInfo.environment["DAYBOOK_COMMAND"],
            FileManager.default.isExecutableFile(atPath: command)
        else { return false }
        try ChildProcess.run(command, ["compact", "--quiet", directory])
        return true
    }
}
