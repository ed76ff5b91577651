package import DaybookBytes
package import DaybookEngine
import DaybookRecords

/// A query whose names are resolved. It runs over any version of the store.
package struct QueryRunner: Sendable {
    package let entity: UInt32
    package private(set) var definition: QueryDefinition
    package internal(set) var condition: BoundCondition
    /// A search for nearest neighbours among the objects that match the condition.
    var nearest: NearestSearch?
    /// The found objects, nearest first, after a search for nearest neighbours.
    var ranking: [UInt64]?
    private(set) var orders: [BoundOrder]
    private(set) var distinct: [BoundOrder]
    let model: QueryModel
    let hint: PlanHint

    /// Throws the errors of ``ConditionResolver``, and `.invalidArgument` for a negative offset or
    /// limit.
    package init(
        _ definition: QueryDefinition, of entity: UInt32, in model: QueryModel,
        hint: PlanHint = .cheapest
    ) throws(DaybookError) {
        try Self.check(definition.offset, "offset")
        try Self.check(definition.limit ?? 0, "limit")
        self.entity = entity
        self.definition = definition
        self.model = model
        self.hint = hint
        let resolver = ConditionResolver(model)
        let split = try SplitCondition(definition.condition)
        condition = try resolver.resolve(split.rest, of: entity)
        nearest = try split.search.map { search throws(DaybookError) in
            try Self.resolve(search, of: entity, resolver)
        }
        var orders: [BoundOrder] = []
        for order in definition.orders {
            switch order.key {
            case .relevance: orders.append(BoundOrder(.relevance, order))
            case .expression(let expression):
                let bound = try resolver.resolve(expression, of: entity)
                orders.append(BoundOrder(.expression(bound), order))
            }
        }
        if orders.contains(where: { $0.key == .relevance }), condition.columnSearches.isEmpty {
            throw Self.nothingIsRelevant
        }
        self.orders = orders
        var distinct: [BoundOrder] = []
        for path in definition.distinct {
            distinct.append(
                BoundOrder(exactly: try resolver.resolve(.property(path), of: entity)))
        }
        self.distinct = distinct
    }

    static func check(_ number: Int, _ name: String) throws(DaybookError) {
        guard number < 0 else { return }
        throw DaybookError(
            .invalidArgument,
            "The \(name) of a query is \(number). It must not be negative.",
            details: [name: String(number)])
    }

    private static var nothingIsRelevant: DaybookError {
        DaybookError(
            .invalidArgument,
            "A query is ordered by relevance, but it searches for no words. Add a condition"
                + " that matches words in a string property, or use another order.")
    }

    /// The number of matches needed, including the skipped offset; nil for all.
    var needed: Int? { Self.needed(definition.offset, definition.limit) }

    /// The sum of offset and limit; nil for all.
    static func needed(_ offset: Int, _ limit: Int?) -> Int? {
        guard let limit else { return nil }
        let (sum, isOver) = offset.addingReportingOverflow(limit)
        return isOver ? nil : sum
    }

    /// Whether the order is that of ids.
    var isInOrderOfIds: Bool {
        guard let first = orders.first else { return true }
        return first.key == .expression(.id) && !first.isDescending
    }

    /// The rows of the result, in its order. Cost: that of the plan, as ``explain(_:isRun:)`` shows
    /// it, and a lookup for each row.
    package func rows(_ access: QueryAccess) throws -> [StoredRow] {
        try run(access, reads: .rows, count: \.count) { run in
            try access.scope.rows(entity, run.ids())
        }
    }

    /// Calls `body` with the rows of the result, without copying, in its order. Cost: that of
    /// ``rows(_:)``, without copies and reference counts.
    package func readRows(
        _ access: QueryAccess,
        _ body: (_ row: Span<UInt8>, _ layout: UInt32, _ id: UInt64) throws -> Void
    ) throws {
        _ = try run(access, reads: .rows, count: { $0 }) { run in
            let ids = try run.ids()
            try access.forEachRow(entity, ids) {
                try body($0, $1, $2)
                return true
            }
            return ids.count
        }
    }

    /// The ids of the result, in its order.
    package func ids(_ access: QueryAccess) throws -> [UInt64] {
        try run(access, reads: .ids, count: \.count) { try $0.ids() }
    }

    /// The number of objects in the result, after offset and limit. Cost: no row is read if an
    /// index determines the count.
    package func count(_ access: QueryAccess) throws -> Int {
        try run(access, reads: .count, count: { $0 }) { try $0.count() }
    }

    /// Whether the result is not empty. Cost: stops at the first match.
    package func exists(_ access: QueryAccess) throws -> Bool {
        guard definition.limit != 0 else { return false }
        var first = self
        first.limit(to: 1)
        return try first.count(access) > 0
    }

    /// The first row of the result, or nil.
    package func first(_ access: QueryAccess) throws -> StoredRow? {
        guard definition.limit != 0 else { return nil }
        var first = self
        first.limit(to: 1)
        return try first.rows(access).first
    }

    /// Calls `body` with each row, in the order of the query, until it returns false. Holds at most
    /// a few hundred rows at a time; if the order is not that of ids, also the keys of all rows.
    package func forEachRow(
        _ access: QueryAccess, _ body: (StoredRow) throws -> Bool
    ) throws {
        try runForEachRow(access, body)
    }

    /// The steps of the query; with `isRun`, also the actual counts.
    package func explain(
        _ access: QueryAccess, isRun: Bool
    ) throws -> ExplainedQuery {
        let run = try QueryRun(self, access, reads: .rows)
        let found = isRun ? try run.ids().count : nil
        return ExplainedQuery(run.explanation(found: found))
    }
}

extension QueryRunner {
    /// The same query with another offset and limit. Throws `.invalidArgument` if one is negative.
    package func with(offset: Int, limit: Int?) throws(DaybookError) -> QueryRunner {
        try Self.check(offset, "offset")
        try Self.check(limit ?? 0, "limit")
        var copy = self
        copy.definition.offset = offset
        copy.definition.limit = limit
        return copy
    }

    private mutating func limit(to limit: Int) { definition.limit = limit }

    /// The query for all objects that match the condition, in the order of ids.
    var matching: QueryRunner {
        var copy = withoutSearch
        (copy.orders, copy.distinct) = ([], [])
        (copy.definition.offset, copy.definition.limit) = (0, nil)
        return copy
    }
}
