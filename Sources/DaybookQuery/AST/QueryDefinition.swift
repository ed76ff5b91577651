/// A query as it is written: which objects, in which order, how many of them.
package struct QueryDefinition: Sendable, Hashable {
    package var condition: QueryCondition
    /// The first decides; ties are in the order of ids.
    package var orders: [QueryOrder] = []
    /// Of objects that agree in all of these, the first in the order is taken alone.
    package var distinct: [PropertyPath] = []
    package var offset = 0
    /// Nil for all.
    package var limit: Int?

    package init(_ condition: QueryCondition = .always(true)) { self.condition = condition }
}

/// One key of an order.
package struct QueryOrder: Sendable, Hashable {
    package enum Key: Sendable, Hashable {
        case expression(QueryExpression)
        /// How well the words of the condition's text search are met, the best first.
        case relevance
    }

    package var key: Key
    package var isDescending = false
    /// Otherwise texts that differ in case alone are ties.
    package var isCaseSensitive = false
    /// Nulls come first, whichever the direction, unless this is so.
    package var areNullsLast = false
    /// Nulls are taken for zero.
    package var areNullsZero = false

    package init(_ key: Key) { self.key = key }
}
