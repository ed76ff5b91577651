/// Which groups a query's objects are to be put in, and what is wanted of them.
package struct GroupDefinition: Sendable, Hashable {
    /// What the objects of a group come to; without an expression how many they are.
    package struct Value: Sendable, Hashable {
        package var aggregate: QueryAggregate
        package var expression: QueryExpression?

        package init(_ aggregate: QueryAggregate, of expression: QueryExpression? = nil) {
            self.aggregate = aggregate
            self.expression = expression
        }
    }

    /// The objects of a group agree in all of these: nulls with nulls, texts exactly.
    package var keys: [QueryExpression]
    package var values: [Value]
    /// Which groups are wanted.
    package var having = GroupCondition.always(true)
    /// The first decides; ties are in the order of the keys, nulls first.
    package var orders: [GroupOrder] = []
    package var offset = 0
    /// Nil for all.
    package var limit: Int?

    package init(by keys: [QueryExpression], values: [Value]) {
        self.keys = keys
        self.values = values
    }
}

/// One of the values of a group, by its place in the definition.
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

/// A condition on groups, as true or false as one on objects: null equals null and nothing else.
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

/// One key of the order of groups.
package struct GroupOrder: Sendable, Hashable {
    package var term: GroupTerm
    package var isDescending = false
    /// Nulls come first, whichever the direction, unless this is so.
    package var areNullsLast = false

    package init(_ term: GroupTerm) { self.term = term }

    /// Appends the bytes in whose order the groups are to stand.
    func append(_ value: QueryValue, to key: inout [UInt8]) {
        var order = BoundOrder(exactly: .value(value))
        order.isDescending = isDescending
        order.areNullsLast = areNullsLast
        order.append(value, to: &key)
    }
}
