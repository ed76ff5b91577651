/// A query before its names are resolved: condition, order, offset and limit.
package struct QueryDefinition: Sendable, Hashable {
    package var condition: QueryCondition
    /// The sort keys, most significant first. Ties are in the order of ids.
    package var orders: [QueryOrder] = []
    /// Of objects with equal values of all these, only the first in the order is found.
    package var distinct: [PropertyPath] = []
    package var offset = 0
    /// The maximum number of objects; nil for all.
    package var limit: Int?

    package init(_ condition: QueryCondition = .always(true)) { self.condition = condition }
}

/// One sort key.
package struct QueryOrder: Sendable, Hashable {
    package enum Key: Sendable, Hashable {
        case expression(QueryExpression)
        /// The relevance for the words of the condition's text search, the most relevant first.
        case relevance
    }

    package var key: Key
    package var isDescending = false
    /// Whether case matters. Otherwise, strings that differ only in case are ties.
    package var isCaseSensitive = false
    /// Whether nulls come last. Otherwise, they come first in both directions.
    package var areNullsLast = false
    /// Whether nulls sort as zero.
    package var areNullsZero = false

    package init(_ key: Key) { self.key = key }
}
