/// An operand of a condition: a constant, or a value of an object.
package indirect enum QueryExpression: Sendable, Hashable {
    case value(QueryValue)
    /// The value at the end of a path; null if a relation or embedded value on the path is null.
    /// Only the last step may be a to-many relation.
    case property(PropertyPath)
    /// The element of a collection in a quantified condition.
    case element
    /// The value for a key of a map.
    case entry(PropertyPath, key: String)
    /// The aggregate of the elements of a collection, or of the objects of a relation. For a
    /// relation, `of` is the path from its objects to the aggregated value; nil for a count.
    case aggregate(QueryAggregate, PropertyPath, of: PropertyPath?)
    case function(QueryFunction, [QueryExpression])
}

/// An aggregate function. Null values are ignored. Without values, the count and the sum are 0, and
/// minimum, maximum and average are null.
package enum QueryAggregate: String, Sendable, Hashable, CaseIterable {
    case count, minimum, maximum, sum, average
}
