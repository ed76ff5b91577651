import DaybookBytes
import DaybookQuery

extension Property {
    /// Whether it has the value; `== nil` whether it has none. Texts are equal in each letter.
    public static func == (property: Self, value: Value) -> Condition<Root> {
        Condition {
            if let failure = property.term.failure { throw failure }
            return property.term.wrapped(try property.conversion.equality(property.term, value))
        }
    }

    /// The opposite of `==`: of nil it is true where the value is not nil.
    public static func != (property: Self, value: Value) -> Condition<Root> {
        !(property == value)
    }

    /// Whether two properties have the same value; two that are nil have.
    public static func == <Other>(
        one: Self, other: Property<Root, Other>
    ) -> Condition<Root> { one.compared(.equal, to: other) }

    /// The opposite of `==`.
    public static func != <Other>(
        one: Self, other: Property<Root, Other>
    ) -> Condition<Root> { one.compared(.notEqual, to: other) }

    /// Whether it has no value. Never true of a property that is not optional.
    public func isNil() -> Condition<Root> { Condition(term) { .isNull($0) } }

    /// Whether it has a value.
    public func isNotNil() -> Condition<Root> { !isNil() }

    func compared<Other>(
        _ comparison: QueryComparison, to other: Property<Root, Other>,
        _ options: StringOptions = []
    ) -> Condition<Root> {
        combined(with: other) { .compare($0, comparison, $1, options) }
    }

    /// A condition about two terms, which have to be about the same objects.
    func combined<Other>(
        with other: Property<Root, Other>,
        _ make: (QueryExpression, QueryExpression) -> QueryCondition
    ) -> Condition<Root> {
        Condition {
            if let failure = term.failure ?? other.term.failure { throw failure }
            guard term.enclosing == other.term.enclosing else {
                throw DaybookError(
                    .invalidArgument,
                    "Two properties are compared of which one is behind a relation to many, and"
                        + " the other is not behind the same. Compare properties of one object, or"
                        + " a max, min, sum or count.")
            }
            return term.wrapped(make(term.value, other.term.value))
        }
    }
}
