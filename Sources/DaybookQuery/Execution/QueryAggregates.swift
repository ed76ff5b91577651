package import DaybookBytes
package import DaybookEngine
import DaybookRecords

/// The values of an expression in the objects that a query finds, and their aggregates.
package struct QueryAggregates: Sendable {
    let query: QueryRunner
    let expression: BoundExpression
    /// The value that replaces null; if nil, null values are ignored.
    package var nullValue: QueryValue?
    /// Whether equal values count once.
    package var isDistinct = false
    /// Whether strings that differ only in case are equal.
    package var ignoresCase = false

    /// Throws the errors of ``ConditionResolver``.
    package init(
        _ query: QueryRunner, of expression: QueryExpression
    ) throws(DaybookError) {
        self.query = query
        self.expression = try ConditionResolver(query.model).resolve(expression, of: query.entity)
    }

    /// Reads the expression in rows that the query found.
    package func reader(_ access: QueryAccess) -> ExpressionReader {
        ExpressionReader(expression, access)
    }

    /// The values in the order of the query. If they must be distinct, the first of equal values.
    package func values(_ access: QueryAccess, limit: Int = .max) throws -> [QueryValue] {
        var values: [QueryValue] = []
        guard limit > 0 else { return [] }
        try forEachValue(access, inOrder: true) { value in
            values.append(value)
            return values.count < limit
        }
        return values
    }

    /// The number of values. Cost: no row is read if an index determines the count.
    package func count(_ access: QueryAccess) throws -> Int {
        if !isDistinct {
            if nullValue != nil { return try query.count(access) }
            if case .column(let column) = expression, !column.isOptional {
                return try query.count(access)
            }
            if let count = try indexedCount(access) { return count }
        }
        var count = 0
        try forEachValue(access, inOrder: false) { _ in
            count += 1
            return true
        }
        return count
    }

    /// The sum: an integer, a floating-point number or a decimal, as the values are. 0 if there are
    /// no values. Throws `.overflow` if the sum exceeds 128 bits, and `.invalidArgument` if the
    /// values are not numbers.
    package func sum(_ access: QueryAccess) throws -> QueryValue { try total(.sum, access) }

    /// The least value, or null. Cost: one row if an index determines it.
    package func minimum(_ access: QueryAccess) throws -> QueryValue {
        try end(access, isDescending: false) ?? total(.minimum, access)
    }

    /// The greatest value, or null. Cost: one row if an index determines it.
    package func maximum(_ access: QueryAccess) throws -> QueryValue {
        try end(access, isDescending: true) ?? total(.maximum, access)
    }

    /// The average; nil if there are no values. Throws the errors of ``sum(_:)``.
    package func average(_ access: QueryAccess) throws -> Double? {
        guard case .number(let number) = try total(.average, access) else { return nil }
        return number
    }

    private func total(_ aggregate: QueryAggregate, _ access: QueryAccess) throws -> QueryValue {
        var sum = ValueSum(aggregate, try expression.sumKind(for: aggregate, query.model))
        try forEachValue(access, inOrder: false) { value in
            try sum.add(value)
            return true
        }
        return try sum.result()
    }

    private func forEachValue(
        _ access: QueryAccess, inOrder: Bool, _ body: (QueryValue) throws -> Bool
    ) throws {
        let reader = ExpressionReader(expression, access)
        var order = BoundOrder(exactly: expression)
        order.isCaseSensitive = !ignoresCase
        let keys = OrderKeys([order], access)
        var seen: Set<[UInt8]> = []
        // The value that replaces null may also be one of the values.
        var nullKey: [UInt8] = []
        if let nullValue { order.append(nullValue, to: &nullKey) }
        _ = try query.run(access, reads: .ids, count: { $0 }) { run in
            var count = 0
            try run.forEachFound(inOrder: inOrder) { row, layout, id in
                var value = try reader.value(in: row, layout: layout, id: id)
                if case .null = value {
                    guard let nullValue else { return true }
                    if isDistinct, !seen.insert(nullKey).inserted { return true }
                    value = nullValue
                } else if isDistinct {
                    var key: [UInt8] = []
                    try keys.append(row, layout: layout, id: id, to: &key)
                    guard seen.insert(key).inserted else { return true }
                }
                count += 1
                return try body(value)
            }
            return count
        }
    }
}

// Aggregates from the ends of an index.
extension QueryAggregates {
    /// An index of all objects of the query in the order of the values; nil if there is none.
    private func index(_ access: QueryAccess) throws -> PlannedIndex? {
        guard case .column(let column) = expression, query.condition == .always(true),
            query.nearest == nil,
            query.distinct.isEmpty, query.definition.offset == 0, query.definition.limit == nil,
            nullValue == nil
        else { return nil }
        let planner = Planner(query, access)
        let property = column.property.propertyID
        return try planner.indexes(of: query.entity, over: [property]).first {
            try $0.isOrdered && $0.isOver(column, at: 0) && !$0.columns[0].isFolded
                && column.type != .decimal
                && planner.truth.isTold(by: $0.index, of: query.entity)
        }
    }

    private func indexedCount(_ access: QueryAccess) throws -> Int? {
        guard let index = try index(access) else { return nil }
        return try access.count(index.index, from: [1], before: [2], limit: .max)
    }

    /// The least or greatest value, NaN excluded; nil if there is none, or if no index determines
    /// it.
    private func end(_ access: QueryAccess, isDescending: Bool) throws -> QueryValue? {
        guard let planned = try index(access) else { return nil }
        let values = planned.columns[0].all
        var first: UInt64?
        try access.forEachId(
            planned.index, from: values.from, before: values.before, isDescending: isDescending
        ) { ids in
            first = ids.first
            return false
        }
        guard let first else { return nil }
        let reader = ExpressionReader(expression, access)
        var value: QueryValue?
        try access.forEachRow(query.entity, [first]) { row, layout, id in
            value = try reader.value(in: row, layout: layout, id: id)
            return false
        }
        // The index may store longer keys truncated, including their escape bytes, so their order
        // is unknown.
        if 2 * (value?.plainBytes?.count ?? 0) + 3 >= IndexKey.lengthMax { return nil }
        if case .json(let json) = value, json.key.count >= IndexKey.lengthMax { return nil }
        return value
    }
}

extension QueryRun {
    /// Calls `body` with the rows that the query finds until it returns false.
    func forEachFound(
        inOrder: Bool, _ body: (_ row: Span<UInt8>, _ layout: UInt32, _ id: UInt64) throws -> Bool
    ) throws {
        let definition = query.definition
        let isAll =
            query.distinct.isEmpty && definition.offset == 0 && definition.limit == nil
        if isAll, !inOrder || query.isInOrderOfIds {
            return try forEachMatch(plan.path, body)
        }
        try access.forEachRow(query.entity, ids(), body)
    }
}

extension BoundExpression {
    /// The kind of the sum. Throws `.invalidArgument` for a sum or an average of values that are
    /// not numbers.
    func sumKind(
        for aggregate: QueryAggregate, _ model: QueryModel
    ) throws(DaybookError) -> ValueSum.Kind {
        guard aggregate == .sum || aggregate == .average else { return .integer }
        if hasNumbers { return ValueSum.Kind(type) }
        let text = ConditionText(model).text(self)
        throw DaybookError(
            .invalidArgument,
            "'\(text)' is not a number, so it has no \(aggregate.rawValue). Use a numeric"
                + " property.",
            details: ["property": text])
    }

    private var hasNumbers: Bool {
        switch type {
        case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .float, .double,
            .decimal:
            return true
        case nil:
            // Ids and counts are integers.
            guard case .value(let value) = self else { return true }
            switch value {
            case .integer, .number, .decimal: return true
            default: return false
            }
        default: return false
        }
    }
}
