/// A condition on an object, as it is written: paths are names, and nothing is looked up yet.
package indirect enum QueryCondition: Sendable, Hashable {
    case always(Bool)
    case and([QueryCondition])
    case or([QueryCondition])
    case not(QueryCondition)
    /// Never true of a null, but for `==` of two nulls, and its opposite `!=`.
    case compare(QueryExpression, QueryComparison, QueryExpression, StringOptions)
    /// Whether a value is between two, nil meaning no bound. Never true of a null. Swapped bounds
    /// are put in order.
    case range(QueryExpression, lower: QueryBound?, upper: QueryBound?)
    /// Whether a value is one of some; a null among them stands for null.
    case oneOf(QueryExpression, [QueryValue], StringOptions)
    /// Whether a number is no further from another than a tolerance.
    case near(QueryExpression, Double, tolerance: Double)
    /// Never true where one side is null.
    case text(QueryExpression, TextTest, QueryExpression, StringOptions)
    case isNull(QueryExpression)
    /// About the objects at the other end of a relation, to one or to many; the inner condition is
    /// about one of those.
    case linked(PropertyPath, QueryQuantifier, QueryCondition)
    /// About the elements of a list or set, or the values of a map; ``QueryExpression/element``
    /// stands for one in the inner condition.
    case elements(PropertyPath, QueryQuantifier, QueryCondition)
    /// About the keys of a map, likewise.
    case keys(PropertyPath, QueryQuantifier, QueryCondition)
    /// Whether a text has the words of another.
    case matches(PropertyPath, String)
    /// A condition whose values are parameters under a name.
    case named(String, QueryCondition)
}

package enum QueryComparison: String, Sendable, Hashable, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
}

/// The end of a range.
package struct QueryBound: Sendable, Hashable {
    package var value: QueryValue
    package var isInclusive: Bool

    package init(_ value: QueryValue, isInclusive: Bool) {
        self.value = value
        self.isInclusive = isInclusive
    }
}

/// How many of several a condition has to be true of. Of none at all, `any` is false, and `all` and
/// `none` are true.
package enum QueryQuantifier: String, Sendable, Hashable, CaseIterable {
    case any, all, none
}

/// What one text is to another.
package enum TextTest: String, Sendable, Hashable, CaseIterable {
    case hasPrefix, hasSuffix, contains
    /// `*` stands for any characters, `?` for one, `\` before a character for that itself.
    case like
}
