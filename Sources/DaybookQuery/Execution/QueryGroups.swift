package import DaybookBytes
package import DaybookEngine
import DaybookRecords

/// The objects that a query finds, grouped by the values of some expressions.
package struct QueryGroups: Sendable {
    /// One group: the values of its keys, and its aggregates.
    package struct Group: Sendable, Hashable {
        package var keys: [QueryValue]
        package var values: [QueryValue]

        /// The value of a key or of an aggregate.
        package func value(_ term: GroupTerm) -> QueryValue {
            switch term {
            case .key(let place): keys[place]
            case .value(let place): values[place]
            }
        }
    }

    /// A group under construction.
    private struct Growing {
        var keys: [QueryValue]
        var sums: [ValueSum]
    }

    private let query: QueryRunner
    private let definition: GroupDefinition
    private let keys: [BoundExpression]
    private let values: [(aggregate: QueryAggregate, expression: BoundExpression?)]

    /// Throws the errors of ``ConditionResolver``, and `.invalidArgument` for missing keys, sums of
    /// values that are not numbers, terms that the groups do not have, and negative offsets and
    /// limits.
    package init(
        _ query: QueryRunner, _ definition: GroupDefinition
    ) throws(DaybookError) {
        self.query = query
        self.definition = definition
        try QueryRunner.check(definition.offset, "offset")
        try QueryRunner.check(definition.limit ?? 0, "limit")
        let resolver = ConditionResolver(query.model)
        var keys: [BoundExpression] = []
        for key in definition.keys { keys.append(try resolver.resolve(key, of: query.entity)) }
        var values: [(aggregate: QueryAggregate, expression: BoundExpression?)] = []
        for value in definition.values {
            guard let expression = value.expression else {
                guard value.aggregate == .count else { throw Self.ofNothing(value.aggregate) }
                values.append((.count, nil))
                continue
            }
            let bound = try resolver.resolve(expression, of: query.entity)
            _ = try bound.sumKind(for: value.aggregate, query.model)
            values.append((value.aggregate, bound))
        }
        self.keys = keys
        self.values = values
        guard !keys.isEmpty else {
            throw DaybookError(
                .invalidArgument, "A query is grouped without a key. Name a property to group by.")
        }
        for term in definition.having.terms + definition.orders.map(\.term) {
            guard term.isOne(of: keys.count, values.count) else { throw Self.unknown(term) }
        }
    }

    /// The groups in the requested order; ties are in the order of their keys. Cost: reads all
    /// objects found, and holds all groups in memory.
    package func groups(_ access: QueryAccess) throws -> [Group] {
        if definition.limit == 0 { return [] }
        let found = try collect(access)
        var sort = RowSort(limit: QueryRunner.needed(definition.offset, definition.limit))
        var groups: [Group] = []
        for (key, growing) in found {
            let group = Group(
                keys: growing.keys,
                values: try growing.sums.map { sum throws(DaybookError) in
                    try sum.result()
                })
            guard definition.having.isTrue(of: group) else { continue }
            var bytes: [UInt8] = []
            for order in definition.orders { order.append(group.value(order.term), to: &bytes) }
            sort.insert(bytes + key, UInt64(groups.count))
            groups.append(group)
        }
        return sort.ids().dropFirst(definition.offset).map { groups[Int($0)] }
    }

    private func collect(_ access: QueryAccess) throws -> [[UInt8]: Growing] {
        let groupKeys = OrderKeys(keys.map { BoundOrder(exactly: $0) }, access)
        let keyReaders = keys.map { ExpressionReader($0, access) }
        let readers = values.map { value in value.expression.map { ExpressionReader($0, access) } }
        let empty = try values.map { value throws(DaybookError) in
            ValueSum(
                value.aggregate,
                try value.expression?.sumKind(for: value.aggregate, query.model) ?? .integer)
        }
        var places: [[UInt8]: Int] = [:]
        var groups: [Growing] = []
        _ = try query.run(access, reads: .ids, count: { $0 }) { run in
            try run.forEachFound(inOrder: false) { row, layout, id in
                var key: [UInt8] = []
                try groupKeys.append(row, layout: layout, id: id, to: &key)
                let place: Int
                if let known = places[key] {
                    place = known
                } else {
                    place = groups.count
                    places[key] = place
                    var keys: [QueryValue] = []
                    for reader in keyReaders {
                        keys.append(try reader.value(in: row, layout: layout, id: id))
                    }
                    groups.append(Growing(keys: keys, sums: empty))
                }
                for (number, reader) in readers.enumerated() {
                    let value = try reader?.value(in: row, layout: layout, id: id) ?? .bool(true)
                    try groups[place].sums[number].add(value)
                }
                return true
            }
            return groups.count
        }
        return places.mapValues { groups[$0] }
    }

    private static func ofNothing(_ aggregate: QueryAggregate) -> DaybookError {
        DaybookError(
            .invalidArgument,
            "The \(aggregate.rawValue) of a group needs a property. Name one, or use the"
                + " count.")
    }

    private static func unknown(_ term: GroupTerm) -> DaybookError {
        DaybookError(
            .invalidArgument,
            "A condition or order of groups uses \(term), which they do not have. Count from 0."
        )
    }
}
