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
    /// Returns the condition with an alias. See ``Condition/named(_:)``.
    public static func .= <Root>(alias: String, condition: Condition<Root>) -> Condition<Root> {
        condition.named(alias)
    }
}
