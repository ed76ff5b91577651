import ArgumentParser
import DaybookBytes
import DaybookEngine
import DaybookQuery

/// `daybook query`.
struct QueryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "query",
        abstract: "Prints the objects that a query finds, as JSON lines or as a table.",
        discussion: """
            A query names an entity and, as you like, what its objects have to be, their order and \
            how many of them: \
            'Package where section.path == "main/libs" order by size desc limit 10'. \
            Put it into quotation marks, so that the shell leaves it alone. The guide 'The \
            command' has all that can be written.
            """)

    @OptionGroup var common: CommonOptions

    @Argument(help: "The query, such as 'Person where age > 18 order by name'.")
    var text: String

    @Option(help: "Print this many objects at most.")
    var limit: Int?

    @Option(
        help: "Ask the state at a sequence or time, not that of now.",
        transform: HistoryPoint.parse(argument:))
    var at: HistoryPoint?

    @Flag(help: "Print a table for people.")
    var table = false

    @Flag(help: "Print only how many objects there are.")
    var count = false

    @Flag(help: "Print how the objects are found, and what was met on the way.")
    var explain = false

    @Flag(name: .customLong("fail-empty"), help: "End with status 7 if nothing is found.")
    var failEmpty = false

    func validate() throws {
        if count, explain { throw ValidationError("Choose one of --count and --explain.") }
        if count, table {
            throw ValidationError("'--table' means nothing with '--count'; leave it out.")
        }
        if explain, failEmpty {
            throw ValidationError("'--fail-empty' means nothing with '--explain'; leave it out.")
        }
        if let limit, limit < 0 {
            throw ValidationError("'--limit' is not negative, like '--limit 100'.")
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
