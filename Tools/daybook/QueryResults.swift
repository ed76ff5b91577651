import DaybookBytes
import DaybookEngine
import DaybookQuery

/// What a query comes to in one version of a store, printed as it is found.
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
    }

    /// Prints how many there are.
    func count() throws -> Int {
        let count = try runner.count(access)
        try run.line { text in
            text.beginObject()
            text.member("count", count)
            text.endObject()
        }
        return count
    }

    /// Prints a line for each object, or for the values that are asked for. Returns how many.
    func lines() throws -> Int {
        switch query.output {
        case .objects:
            let objects = StoredObjects(of: query.entity, in: view, access.schemas)
            let lines = ObjectLines(run: run)
            try runner.forEachRow(access) { row in
                try lines.write(objects.object(row))
                return true
            }
        case .columns(let columns):
            let readers = try ColumnReaders(columns, query.entity, model, access)
            try runner.forEachRow(access) { row in
                try run.line { text throws(DaybookError) in
                    text.beginObject()
                    for reader in readers.all {
                        text.name(reader.column.name)
                        try reader.append(row, to: &text)
                    }
                    text.endObject()
                }
                return true
            }
        }
        return run.lineCount
    }

    /// Prints a table. Returns how many rows it has.
    func table() throws -> Int {
        let columns =
            switch query.output {
            case .objects: ObjectColumns.of(query.entity, in: model)
            case .columns(let columns): columns
            }
        let readers = try ColumnReaders(columns, query.entity, model, access)
        var table = TextTable(
            columns.map { TextTable.Column(title: $0.name, isNumber: $0.isNumber) },
            widthMax: StandardStream.output.columnCount)
        try runner.forEachRow(access) { row in
            var cells: [String] = []
            for reader in readers.all { cells.append(try reader.text(row)) }
            for line in table.lines(adding: cells) { try run.plain(line) }
            return true
        }
        for line in table.end() { try run.plain(line) }
        try run.say("\(table.rowCount) \(table.rowCount == 1 ? "row" : "rows")")
        return table.rowCount
    }

    /// Prints how they are found: a tree of steps as JSON, or for people.
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

    private static func write(_ step: QueryExplanation.Step, to text: inout JSONText) {
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
