import ArgumentParser
import DaybookBytes
import DaybookEngine

/// `daybook restore`.
struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Builds a new store from a backup, as it was at its end or before.",
        discussion: """
            The new store has the same transactions and an identity of its own. All of it is read \
            back and compared before it becomes a store. A time stands for the last transaction \
            at it or before; there has to be one.
            """)

    @OptionGroup var common: CommonOptions

    @Argument(help: "The directory of the new store: empty or not there.", completion: .directory)
    var destination: String

    @Option(
        help: "The last transaction: a sequence or a time.",
        transform: HistoryPoint.parse(argument:))
    var until: HistoryPoint?

    func validate() throws {
        guard !destination.isEmpty else {
            throw ValidationError("Name a new directory; '' names none.")
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
