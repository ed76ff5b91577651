import ArgumentParser
import DaybookBytes
import DaybookEngine
import DaybookQuery
import DaybookRows

/// `daybook export`.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Prints the rows of a query as CSV or JSON lines for 'daybook import'.",
        discussion: """
            An entity alone, as in 'Person', exports all of its objects with their ids and the ids \
            of their links. A query selects objects, or with 'select' the columns: \
            'Person where age > 18 select name, boss.email'. The guide 'Import and export' \
            describes the formats.

            Examples:
              daybook export Store Person --format csv > people.csv
              daybook export Store 'Person where age > 18 select name, age' --format jsonl
            """)

    @OptionGroup var common: CommonOptions

    @Argument(
        help: "An entity or a query, such as 'Person where age > 18 order by name'.",
        completion: .entities())
    var text: String

    @Option(
        help: "The format: csv or jsonl.",
        completion: .list(ExchangeFormat.allCases.map(\.rawValue)),
        transform: ExchangeFormat.parse(argument:))
    var format: ExchangeFormat

    @Option(
        help: "Export the state at a sequence or time instead of the current one.",
        transform: HistoryPoint.parse(argument:))
    var at: HistoryPoint?

    func run() throws {
        try common.perform("export") { run in
            let engine = try common.openForReading()
            let export = try RowExport(text, as: format, engine.schemas)
            let access = QueryAccess(try engine.view(until: at, run.control), engine.schemas)
            access.isCancelled = run.isInterrupted
            let count = try export.forEachLine(access) { try run.plain($0) }
            try run.say("Exported \(count) rows.")
        }
    }
}
