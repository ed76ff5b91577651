/// The grouping of a query's objects: keys, aggregates, condition and order.
package struct GroupDefinition: Sendable, Hashable {
    /// An aggregate over the objects of a group; without an expression, their count.
    package struct Value: Sendable, Hashable {
        package var aggregate: QueryAggregate
        package var expression: QueryExpression?

        package init(_ aggregate: QueryAggregate, of expression: QueryExpression? = nil) {
            self.aggregate = aggregate
            self.expression = expression
        }
    }

    /// The objects of a group have equal values of all keys. Null equals null, and strings compare
    /// by their bytes.
    package var keys: [QueryExpression]
    package var values: [Value]
    /// The condition on the groups.
    package var having = GroupCondition.always(true)
    /// The sort keys, most significant first. Ties are in the order of the keys, nulls first.
    package var orders: [GroupOrder] = []
    package var offset = 0
    /// The maximum number of groups; nil for all.
    package var limit: Int?

    package init(by keys: [QueryExpression], values: [Value]) {
        self.keys = keys
        self.values = values
    }
}

/// A key or an aggregate of a group, by its place in the definition.
package enum GroupTerm: Sendable, Hashable {
    case key(Int)
    case value(Int)

    func isOne(of keyCount: Int, _ valueCount: Int) -> Bool {
        switch self {
        case .key(let place): place >= 0 && place < keyCount
        case .value(let place): place >= 0 && place < valueCount
        }
    }
}

/// A condition on groups. As for objects, it is always true or false: null equals only null.
package indirect enum GroupCondition: Sendable, Hashable {
    case always(Bool)
    case and([GroupCondition])
    case or([GroupCondition])
    case not(GroupCondition)
    case compare(GroupTerm, QueryComparison, QueryValue)

    var terms: [GroupTerm] {
        switch self {
        case .always: []
        case .and(let parts), .or(let parts): parts.flatMap(\.terms)
        case .not(let inner): inner.terms
        case .compare(let term, _, _): [term]
        }
    }

    func isTrue(of group: QueryGroups.Group) -> Bool {
        switch self {
        case .always(let isTrue): isTrue
        case .and(let parts): parts.allSatisfy { $0.isTrue(of: group) }
        case .or(let parts): parts.contains { $0.isTrue(of: group) }
        case .not(let inner): !inner.isTrue(of: group)
        case .compare(let term, let comparison, let value):
            ValueComparison(comparison, []).isTrue(of: group.value(term), value)
        }
    }
}

/// One sort key of groups.
package struct GroupOrder: Sendable, Hashable {
    package var term: GroupTerm
    package var isDescending = false
    /// Whether nulls come last. Otherwise, they come first in both directions.
    package var areNullsLast = false

    package init(_ term: GroupTerm) { self.term = term }

    /// Appends the order-preserving bytes of a value.
    func append(_ value: QueryValue, to key: inout [UInt8]) {
        var order = BoundOrder(exactly: .value(value))
        order.isDescending = isDescending
        order.areNullsLast = areNullsLast
        order.append(value, to: &key)
    }
}
