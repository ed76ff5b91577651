import ArgumentParser
import DaybookBytes
import DaybookEngine
import DaybookMaintenance

/// `daybook stats`.
struct StatsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: """
            Prints what a store comes to: files, transactions, entities, relations, as one JSON \
            object.
            """)

    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.perform("stats") { run in
            let statistics = try common.openForReading().statistics(run.control)
            try run.line { text throws(DaybookError) in
                StatisticsText.write(statistics, to: &text)
            }
        }
    }
}
