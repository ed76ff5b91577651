import DaybookBytes
import DaybookEngine
import DaybookRecords
import DaybookQuery

/// Runs a query on one version of a store and prints the results as they are found.
struct QueryResults {
    let query: TextQuery
    let model: QueryModel
    let run: CommandRun
    private let runner: QueryRunner
    private let access: QueryAccess
    private let view: ReadView

    init(
        _ query: TextQuery, _ model: QueryModel, _ engine: Engine, at point: HistoryPoint?,
        run: CommandRun
    ) throws {
        self.query = query
        self.model = model
        self.run = run
        runner = try QueryRunner(query.definition, of: query.entity, in: model)
        view = try engine.view(until: point, run.control)
        access = QueryAccess(view, engine.schemas)
        access.isCancelled = run.isInterrupted
    }

    /// Prints the number of results and returns it.
    func count() throws -> Int {
        var count = 0
        if case .groups = query.output {
            try rows().forEach { _ in
                count += 1
                return true
            }
        } else {
            count = try runner.count(access)
        }
        try run.line { text in
            text.beginObject()
            text.member("count", count)
            text.endObject()
        }
        return count
    }

    private func rows() throws -> TextResults { try TextResults(query, model, runner, access) }

    /// Prints one line per object, or per row of selected values. Returns the number of lines.
    func lines() throws -> Int {
        if case .objects = query.output {
            let objects = StoredObjects(of: query.entity, in: view, access.schemas)
            let lines = ObjectLines(run: run)
            try runner.forEachRow(access) { row in
                try access.checkCancellation()
                try lines.write(objects.object(row))
                return true
            }
            return run.lineCount
        }
        let rows = try rows()
        try rows.forEach { values in
            try run.line { text throws(DaybookError) in
                text.beginObject()
                for (column, value) in zip(rows.columns, values) {
                    text.name(column.name)
                    try text.value(
                        value, of: column.type, layouts: access.schemas.rowLayout)
                }
                text.endObject()
            }
            return true
        }
        return run.lineCount
    }

    /// Prints a table. Returns its number of rows.
    func table() throws -> Int {
        let rows = try rows()
        var table = TextTable(
            rows.columns.map { TextTable.Column(title: $0.name, isNumber: $0.isNumber) },
            widthMax: StandardStream.output.columnCount)
        try rows.forEach { values in
            var cells: [String] = []
            for (column, value) in zip(rows.columns, values) {
                cells.append(try column.text(value, access.schemas))
            }
            for line in table.lines(adding: cells) { try run.plain(line) }
            return true
        }
        for line in table.end() { try run.plain(line) }
        try run.say("\(table.rowCount) \(table.rowCount == 1 ? "row" : "rows")")
        return table.rowCount
    }

    /// Prints the query plan: a tree of steps as JSON, or as indented lines.
    func explain(isTable: Bool) throws {
        let explanation = try runner.explain(access, isRun: true)
        if isTable {
            for line in explanation.description.split(separator: "\n") {
                try run.plain(String(line))
            }
        } else {
            try run.line { text in Self.write(explanation.root, to: &text) }
        }
    }

    private static func write(_ step: ExplainedQuery.Step, to text: inout JSONText) {
        text.beginObject()
        text.member("step", step.text)
        if let index = step.index { text.member("index", index) }
        if let estimate = step.estimate { text.member("estimate", estimate) }
        if let actual = step.actual { text.member("found", actual) }
        if !step.steps.isEmpty {
            text.name("steps")
            text.beginArray()
            for inner in step.steps { write(inner, to: &text) }
            text.endArray()
        }
        text.endObject()
    }
}
