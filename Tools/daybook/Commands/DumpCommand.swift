import ArgumentParser
import DaybookBytes
import DaybookEngine
import DaybookMaintenance

/// `daybook dump`.
struct DumpCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dump",
        abstract: "Writes a whole store as JSON lines, from which 'daybook load' builds it again.",
        discussion: """
            Exact: 64-bit numbers are written in full, dates as they are stored, bytes as base64. \
            The text is a state and no history, but with --history. Equal states are equal texts.
            """)

    @OptionGroup var common: CommonOptions

    @Option(
        help: "The state after a transaction: a sequence or a time.",
        transform: HistoryPoint.parse(argument:))
    var at: HistoryPoint?

    @Flag(help: "Write all transactions, and not the state that they come to.")
    var history = false

    func validate() throws {
        if history, at != nil {
            throw ValidationError(
                "'--history' writes all of it; 'daybook replay --into' copies a part.")
        }
    }

    func run() throws {
        try common.perform("dump") { run in
            if history {
                let counts = try common.openForReading().dumpHistory(run.control) {
                    write throws(DaybookError) in
                    try run.line(write)
                }
                try run.say("Dumped the history up to sequence \(counts.sequence).")
                return
            }
            let counts = try common.openForReading().dump(until: at, run.control) {
                write throws(DaybookError) in
                try run.line(write)
            }
            try run.say(
                "Dumped \(counts.objects) objects as of sequence \(counts.sequence); their history"
                    + " is not in the text.")
        }
    }
}
