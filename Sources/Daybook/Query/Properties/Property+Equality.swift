import DaybookBytes
import DaybookQuery

extension Property {
    /// Whether the property has the value. `== nil` is true if the property is nil. Strings are
    /// compared exactly.
    public static func == (property: Self, value: Value) -> Condition<Root> {
        Condition {
            if let failure = property.term.failure { throw failure }
            return property.term.wrapped(try property.conversion.equality(property.term, value))
        }
    }

    /// The negation of `==`. True if the property is nil and the value is not.
    public static func != (property: Self, value: Value) -> Condition<Root> {
        !(property == value)
    }

    /// Whether two properties have equal values. Nil equals nil.
    public static func == <Other>(
        one: Self, other: Property<Root, Other>
    ) -> Condition<Root> { one.compared(.equal, to: other) }

    /// The negation of `==`.
    public static func != <Other>(
        one: Self, other: Property<Root, Other>
    ) -> Condition<Root> { one.compared(.notEqual, to: other) }

    /// Whether the stored value is nil, without converting nil. For `isNil()` of DaybookObjectBox.
    package var isStoredNil: Condition<Root> { Condition(term) { .isNull($0) } }

    func compared<Other>(
        _ comparison: QueryComparison, to other: Property<Root, Other>,
        _ options: StringOptions = []
    ) -> Condition<Root> {
        combined(with: other) { .compare($0, comparison, $1, options) }
    }

    /// Returns a condition on two terms. Throws `.invalidArgument` unless both belong to the same
    /// objects.
    func combined<Other>(
        with other: Property<Root, Other>,
        _ make: (QueryExpression, QueryExpression) -> QueryCondition
    ) -> Condition<Root> {
        Condition {
            if let failure = term.failure ?? other.term.failure { throw failure }
            guard term.enclosing == other.term.enclosing else {
                throw DaybookError(
                    .invalidArgument,
                    "A property of a to-many relation's objects can be compared only with a"
                        + " property of the same objects. Compare properties of one object, or a"
                        + " max, min, sum or count.")
            }
            return term.wrapped(make(term.value, other.term.value))
        }
    }
}
