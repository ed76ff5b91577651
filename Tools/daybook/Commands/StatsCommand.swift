import ArgumentParser
import DaybookBytes
import DaybookEngine
import DaybookMaintenance

/// `daybook stats`.
struct StatsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: """
            Prints the statistics of a store as one JSON object: files, transactions, entities \
            and relations.
            """,
        discussion: """
            Examples:
              daybook stats Store
              daybook stats Backup > stats.json
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
