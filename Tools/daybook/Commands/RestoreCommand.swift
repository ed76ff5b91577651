import ArgumentParser
import DaybookBytes
import DaybookEngine

/// `daybook restore`.
struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Builds a new store from a backup, as of its end or an earlier commit.",
        discussion: """
            The new store has the same transactions and a new identity. It is read back and \
            compared with the backup before it can be opened. A time selects the last \
            transaction at or before it, which must exist.

            Examples:
              daybook restore Backup New
              daybook restore Backup New --until 3
            """)

    @OptionGroup var common: CommonOptions

    @Argument(help: "The directory of the new store: empty or missing.", completion: .directory)
    var destination: String

    @Option(
        help: "Restore up to this transaction: a sequence or a time.",
        transform: HistoryPoint.parse(argument:))
    var until: HistoryPoint?

    func validate() throws {
        guard !destination.isEmpty else {
            throw ValidationError("The path of the new store is an empty string; name a directory.")
        }
    }

    func run() throws {
        try common.perform("restore") { run in
            let engine = try common.openForReading()
            if let until { try engine.requireReached(until, run.control) }
            try CopyLine(engine: engine, run: run).write(destination, until: until)
        }
    }
}
