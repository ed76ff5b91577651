import ArgumentParser
import DaybookBytes
import DaybookEngine
import DaybookMaintenance

/// `daybook dump`.
struct DumpCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dump",
        abstract: "Writes a whole store as JSON lines for 'daybook load'.",
        discussion: """
            The dump is exact: 64-bit numbers have all digits, dates have their stored value, and \
            bytes are base64. It contains one state, or with --history all transactions. Equal \
            states give equal dumps.

            Examples:
              daybook dump Store > store.jsonl
              daybook dump Store --at 3
              daybook dump Store --history | daybook load Copy
            """)

    @OptionGroup var common: CommonOptions

    @Option(
        help: "Dump the state after this transaction: a sequence or a time.",
        transform: HistoryPoint.parse(argument:))
    var at: HistoryPoint?

    @Flag(help: "Write all transactions instead of the final state.")
    var history = false

    func validate() throws {
        if history, at != nil {
            throw ValidationError(
                "'--history' writes the whole history; 'daybook replay --into' copies a part."
            )
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
                "Dumped \(counts.objects) objects as of sequence \(counts.sequence), without their"
                    + " history.")
        }
    }
}
