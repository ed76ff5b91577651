/// What a condition looks at: a value that it names, or one that it finds in an object.
package indirect enum QueryExpression: Sendable, Hashable {
    case value(QueryValue)
    /// The value at the end of a path; null where a step on the way leads nowhere. No step but the
    /// last may be a relation to many.
    case property(PropertyPath)
    /// The element of a collection that a quantified condition is about.
    case element
    /// The value under a key of a map.
    case entry(PropertyPath, key: String)
    /// What the members of a collection, or the objects of a relation, come to together. With a
    /// relation `of` is the path from its objects to the number; none for a count.
    case aggregate(QueryAggregate, PropertyPath, of: PropertyPath?)
}

/// What many values come to. Null values do not count; no values have the count and the sum 0, and
/// neither minimum, maximum nor average.
package enum QueryAggregate: String, Sendable, Hashable, CaseIterable {
    case count, minimum, maximum, sum, average
}
