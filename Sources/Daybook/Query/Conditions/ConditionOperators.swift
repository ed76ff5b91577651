/// Binds weaker than comparisons, and stronger than `&&`.
precedencegroup PropertyAliasPrecedence {
    higherThan: LogicalConjunctionPrecedence
    lowerThan: ComparisonPrecedence
}

/// Whether a value is one of some, or in a range: `Person.age ∈ 18..<65`.
infix operator ∈ : ComparisonPrecedence
/// Whether a value is none of some, and not in a range.
infix operator ∉ : ComparisonPrecedence
/// Names a condition, for setting its parameters: `"limit" .= Person.age < 18`.
infix operator .= : PropertyAliasPrecedence

extension String {
    /// The condition under this name; see ``Condition/named(_:)``.
    public static func .= <Root>(alias: String, condition: Condition<Root>) -> Condition<Root> {
        condition.named(alias)
    }
}
