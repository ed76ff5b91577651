import ArgumentParser
import DaybookBytes
import DaybookEngine
import DaybookQuery

/// `daybook query`.
struct QueryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "query",
        abstract: "Prints the results of a query as JSON lines or as a table.",
        discussion: """
            A query names an entity and optionally a condition, an order and a limit: \
            'Package where section.path == "main/libs" order by size desc limit 10'. \
            Quote it, so that the shell does not change it. The guide 'The command' describes the \
            whole language.

            Examples:
              daybook query Store 'Person where age > 18 order by name limit 10'
              daybook query Store 'Person select name, age' --table
              daybook query Store Person --count --at 3
            """)

    @OptionGroup var common: CommonOptions

    @Argument(
        help: "The query, such as 'Person where age > 18 order by name'.",
        completion: .entities())
    var text: String

    @Option(help: "Print at most this many objects.")
    var limit: Int?

    @Option(
        help: "Query the state at a sequence or time instead of the current one.",
        transform: HistoryPoint.parse(argument:))
    var at: HistoryPoint?

    @Flag(help: "Print a table instead of JSON lines.")
    var table = false

    @Flag(help: "Print only the number of objects.")
    var count = false

    @Flag(help: "Print the query plan with estimated and actual counts.")
    var explain = false

    @Flag(name: .customLong("fail-empty"), help: "Exit with status 7 if no object matches.")
    var failEmpty = false

    func validate() throws {
        if count, explain {
            throw ValidationError("'--count' and '--explain' exclude each other; choose one.")
        }
        if count, table {
            throw ValidationError("'--table' has no effect with '--count'; omit it.")
        }
        if explain, failEmpty {
            throw ValidationError("'--fail-empty' has no effect with '--explain'; omit it.")
        }
        if let limit, limit < 0 {
            throw ValidationError("'--limit' must not be negative, as in '--limit 100'.")
        }
    }

    func run() throws {
        try common.perform("query") { run in
            let engine = try common.openForReading()
            let model = QueryModel(engine.schemas.schema)
            var query = try TextQuery.parse(text, in: model)
            if let limit { query.limit(to: limit) }
            let results = try QueryResults(
                query, model, engine, at: at, run: run)
            let found = try print(results)
            if failEmpty, found == 0 { run.status = .nothingMatched }
        }
    }

    /// Returns the number of objects found; 0 with `--explain`.
    private func print(_ results: QueryResults) throws -> Int {
        if explain {
            try results.explain(isTable: table)
            return 0
        }
        if count { return try results.count() }
        return table ? try results.table() : try results.lines()
    }
}

extension TextQuery {
    /// Limits the number of printed lines. Totals still cover all matching objects.
    fileprivate mutating func limit(to count: Int) {
        switch output {
        case .objects, .columns: definition.limit = min(count, definition.limit ?? count)
        case .totals: break
        case .groups(var groups):
            groups.definition.limit = min(count, groups.definition.limit ?? count)
            output = .groups(groups)
        }
    }
}
