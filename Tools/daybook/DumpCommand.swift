import ArgumentParser
import DaybookBytes
import DaybookEngine

/// `daybook dump`.
struct DumpCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dump",
        abstract: "Writes a whole store as JSON lines, from which 'daybook load' builds it again.",
        discussion: """
            Exact: 64-bit numbers are written in full, dates as they are stored, bytes as base64. \
            The text is a state and no history: 'daybook backup' keeps that. Equal states are \
            equal texts.
            """)

    @OptionGroup var common: CommonOptions

    @Option(
        help: "The state after a transaction: a sequence or a time.",
        transform: HistoryPoint.parse(argument:))
    var at: HistoryPoint?

    func run() throws {
        try common.perform("dump") { run in
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
