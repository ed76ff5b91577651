import DaybookBytes
import DaybookEngine
public import DaybookQuery
public import DaybookRows

/// The number of rows to read ahead in one batch.
private let pieceCount = 256

/// A query in the text language, and its results as rows without types. Returned by
/// ``Store/query(_:arguments:)``.
///
/// ```swift
/// let adults = try store.query("Person where age >= 18 order by name limit 10").find()
/// let ages = try store.query("Person group by age select age, count").find()
/// ```
///
/// A query without `select` finds whole objects, with their ids and links. Otherwise each row has
/// the selected values under their texts, or under the names after `as`. A query is a value; it
/// reads the state at the time of the call, or the version of its view.
public struct RowQuery: Sendable {
    /// The name of the entity.
    public let entityName: String
    let query: TextQuery
    let runner: QueryRunner
    let model: QueryModel
    let types: StoreTypes

    init(
        _ text: String, _ arguments: [RowValue], _ types: StoreTypes
    ) throws(DaybookError) {
        try types.requireOpen()
        self.types = types
        model = QueryModel(types.engine.schemas.schema)
        query = try TextQuery.parse(text, arguments: arguments.map(\.argument), in: model)
        runner = try QueryRunner(query.definition, of: query.entity, in: model)
        entityName = query.entityName
    }

    /// Returns the rows in the order of the query. Throws `.closed`, `.corruption`, and `.overflow`
    /// for a sum that exceeds 128 bits.
    public func find() throws -> [AnyRow] {
        var rows: [AnyRow] = []
        try forEach { rows.append($0) }
        return rows
    }

    /// Calls `body` with each row in the order of the query. Objects are read one at a time; groups
    /// are held in memory. All rows are of one version. Throws the error of `body`.
    public func forEach(_ body: (AnyRow) throws -> Void) throws {
        let rows = TextRows(query, runner, model)
        try types.query { access in
            try rows.forEach(access) { row in
                try body(row)
                return true
            }
        }
    }

    /// Returns the number of rows, after offset and limit. Cost: no object is read if an index
    /// determines the count.
    public func count() throws -> Int {
        let rows = TextRows(query, runner, model)
        return try types.query { try rows.count($0) }
    }

    /// Returns the execution plan of the search: see ``Query/explain(isRun:)``.
    public func explain(isRun: Bool = false) throws -> ExplainedQuery {
        try types.query { try runner.explain($0, isRun: isRun) }
    }
}

// The asynchronous overloads.
extension RowQuery {
    /// `find` without blocking. Throws `CancellationError` if the task is cancelled.
    public nonisolated(nonsending) func find() async throws -> [AnyRow] {
        let query = self
        return try await types.engine.readElsewhere { try query.find() }
    }

    /// `forEach` without blocking. All rows are of one version. Objects are read ahead in batches;
    /// selected values, totals and groups are all found first. `body` runs in the caller's
    /// isolation.
    public nonisolated(nonsending) func forEach(_ body: (AnyRow) throws -> Void) async throws {
        guard case .objects = query.output else {
            for row in try await find() { try body(row) }
            return
        }
        let (query, types) = (self, types)
        let (view, ids) = try await types.engine.readElsewhere {
            try types.query { (access) in (access.view, try query.runner.ids(access)) }
        }
        guard let view else { preconditionFailure("no transaction runs on the store's threads") }
        var rest = ids[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(pieceCount))
            rest = rest.dropFirst(pieceCount)
            let rows = try await types.engine.readElsewhere {
                let form = try RowForm(query.entityName, types.engine.schemas)
                return try view.rows(form.entity, piece).map {
                    try form.object($0, in: .read(view))
                }
            }
            for row in rows { try body(row) }
        }
    }

    /// `count` without blocking.
    public nonisolated(nonsending) func count() async throws -> Int {
        let query = self
        return try await types.engine.readElsewhere { try query.count() }
    }

    /// `explain` without blocking.
    public nonisolated(nonsending) func explain(
        isRun: Bool = false
    ) async throws -> ExplainedQuery {
        let query = self
        return try await types.engine.readElsewhere { try query.explain(isRun: isRun) }
    }
}
