public import Daybook

// ObjectBox's operators of conditions.

/// Lower than comparisons, and higher than `&&`.
precedencegroup PropertyAliasPrecedence {
    higherThan: LogicalConjunctionPrecedence
    lowerThan: ComparisonPrecedence
}

/// Whether a value is an element of a collection or is in a range: `Person.age ∈ 18..<65`.
infix operator ∈ : ComparisonPrecedence
/// The negation of `∈`.
infix operator ∉ : ComparisonPrecedence
/// Gives a condition an alias, by which its parameters can be set: `"limit" .= Person.age < 18`.
infix operator .= : PropertyAliasPrecedence

extension String {
    /// As `named` of a condition.
    public static func .= <Root>(alias: String, condition: Condition<Root>) -> Condition<Root> {
        condition.named(alias)
    }
}

extension Daybook.Property {
    /// As `isIn`.
    public static func ∈ (property: Self, values: [Value]) -> Condition<Root> {
        property.isIn(values)
    }

    /// The negation of `∈`.
    public static func ∉ (property: Self, values: [Value]) -> Condition<Root> {
        !property.isIn(values)
    }

    /// As `isIn`.
    @_disfavoredOverload
    public static func ∈ (property: Self, values: some Sequence<Value>) -> Condition<Root> {
        property.isIn(values)
    }

    /// The negation of `∈`.
    @_disfavoredOverload
    public static func ∉ (property: Self, values: some Sequence<Value>) -> Condition<Root> {
        !property.isIn(values)
    }
}

extension Daybook.Property where Value: OrderedValue, Value.Operand: Comparable {
    /// As `isIn`.
    public static func ∈ (property: Self, range: Range<Value.Operand>) -> Condition<Root> {
        property.isIn(range)
    }

    /// As `isIn`.
    public static func ∈ (property: Self, range: ClosedRange<Value.Operand>) -> Condition<Root> {
        property.isIn(range)
    }

    /// The negation of `∈`.
    public static func ∉ (property: Self, range: Range<Value.Operand>) -> Condition<Root> {
        !property.isIn(range)
    }

    /// The negation of `∈`.
    public static func ∉ (property: Self, range: ClosedRange<Value.Operand>) -> Condition<Root> {
        !property.isIn(range)
    }
}

extension Daybook.Property where Value: ToOneRelation {
    /// As `isIn`.
    public static func ∈ (
        property: Self, ids: [EntityId<Value.Target>]
    ) -> Condition<Root> { property.isIn(ids) }

    /// The negation of `∈`.
    public static func ∉ (
        property: Self, ids: [EntityId<Value.Target>]
    ) -> Condition<Root> { !property.isIn(ids) }
}
