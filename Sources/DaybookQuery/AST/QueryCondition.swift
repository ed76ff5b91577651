/// A condition on an object, before its names are resolved.
package indirect enum QueryCondition: Sendable, Hashable {
    case always(Bool)
    case and([QueryCondition])
    case or([QueryCondition])
    case not(QueryCondition)
    /// False if a side is null, except for `==` of two nulls, and its opposite `!=`.
    case compare(QueryExpression, QueryComparison, QueryExpression, StringOptions)
    /// Whether a value is between two bounds; nil means no bound. False for null. Swapped bounds
    /// are put in order.
    case range(QueryExpression, lower: QueryBound?, upper: QueryBound?)
    /// Whether a value is one of several; a null among them matches null.
    case oneOf(QueryExpression, [QueryValue], StringOptions)
    /// Whether a number is within a tolerance of another.
    case near(QueryExpression, Double, tolerance: Double)
    /// False if a side is null.
    case text(QueryExpression, TextTest, QueryExpression, StringOptions)
    case isNull(QueryExpression)
    /// A condition on the objects at the other end of a to-one or to-many relation. The inner
    /// condition applies to one of them.
    case linked(PropertyPath, QueryQuantifier, QueryCondition)
    /// A condition on the elements of a list or set, or the values of a map. In the inner
    /// condition, ``QueryExpression/element`` denotes the element.
    case elements(PropertyPath, QueryQuantifier, QueryCondition)
    /// A condition on the keys of a map, which ``QueryExpression/element`` denotes.
    case keys(PropertyPath, QueryQuantifier, QueryCondition)
    /// Whether a string contains words of another.
    case matches(PropertyPath, String, WordTest = .all)
    /// Whether the object is one of a number of objects whose vectors are nearest to a vector,
    /// among the matches of the other conditions. Only as a part of the outermost conjunction.
    case nearest(PropertyPath, [Float], count: Int)
    /// A condition whose values are named parameters.
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

/// A bound of a range.
package struct QueryBound: Sendable, Hashable {
    package var value: QueryValue
    package var isInclusive: Bool

    package init(_ value: QueryValue, isInclusive: Bool) {
        self.value = value
        self.isInclusive = isInclusive
    }
}

/// The number of objects or elements that must match. If there are none, `any` is false, and `all`
/// and `none` are true.
package enum QueryQuantifier: String, Sendable, Hashable, CaseIterable {
    case any, all, none
}

/// The words of a search that a string must contain.
package enum WordTest: String, Sendable, Hashable, CaseIterable {
    case all, any
    /// All words, directly one after another and in their order.
    case phrase
}

/// A test of a string with another.
package enum TextTest: String, Sendable, Hashable, CaseIterable {
    case hasPrefix, hasSuffix, contains
    /// `*` matches any characters, `?` matches one, `\` escapes the next character.
    case like
}
