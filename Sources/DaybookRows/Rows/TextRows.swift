package import DaybookEngine
package import DaybookQuery

/// Runs a text query and returns its result as rows.
package struct TextRows: Sendable {
    private let query: TextQuery
    private let runner: QueryRunner
    private let model: QueryModel

    package init(_ query: TextQuery, _ runner: QueryRunner, _ model: QueryModel) {
        self.query = query
        self.runner = runner
        self.model = model
    }

    /// Calls `body` with each row until it returns false.
    package func forEach(_ access: QueryAccess, _ body: (AnyRow) throws -> Bool) throws {
        if case .objects = query.output {
            let form = try RowForm(query.entityName, access.schemas)
            return try runner.forEachRow(access) { row in
                try access.checkCancellation()
                return try body(try form.object(row, in: access.scope))
            }
        }
        let results = try TextResults(query, model, runner, access)
        let names = results.columns.map(\.name)
        let decoder = RowValueDecoder(access.schemas)
        try results.forEach { values in
            var row: [RowValue] = []
            for (value, column) in zip(values, results.columns) {
                row.append(try decoder.value(value, column.type))
            }
            return try body(AnyRow(entityName: query.entityName, names: names, values: row))
        }
    }

    /// The number of rows.
    package func count(_ access: QueryAccess) throws -> Int {
        switch query.output {
        case .objects, .columns: return try runner.count(access)
        case .totals: return 1
        case .groups:
            var count = 0
            try TextResults(query, model, runner, access).forEach { _ in
                count += 1
                return true
            }
            return count
        }
    }
}
