public import Daybook

// Conditions on strings with `caseSensitive`; Daybook has options.

extension Daybook.Property where Value: TextValue {
    /// As `equals` with options.
    public func isEqual(to text: String, caseSensitive: Bool) -> Condition<Root> {
        equals(text, options: Self.options(caseSensitive))
    }

    /// The negation of ``isEqual(to:caseSensitive:)``.
    public func isNotEqual(to text: String, caseSensitive: Bool) -> Condition<Root> {
        !isEqual(to: text, caseSensitive: caseSensitive)
    }

    /// As `isLessThan` with options.
    public func isLessThan(_ text: String, caseSensitive: Bool) -> Condition<Root> {
        isLessThan(text, options: Self.options(caseSensitive))
    }

    /// As `isGreaterThan` with options.
    public func isGreaterThan(_ text: String, caseSensitive: Bool) -> Condition<Root> {
        isGreaterThan(text, options: Self.options(caseSensitive))
    }

    /// As `isIn` with options.
    public func isIn(_ texts: [String], caseSensitive: Bool) -> Condition<Root> {
        isIn(texts, options: Self.options(caseSensitive))
    }

    /// The negation of ``isIn(_:caseSensitive:)``.
    public func isNotIn(_ texts: [String], caseSensitive: Bool) -> Condition<Root> {
        !isIn(texts, caseSensitive: caseSensitive)
    }

    /// As `startsWith` with options.
    public func startsWith(_ text: String, caseSensitive: Bool) -> Condition<Root> {
        startsWith(text, options: Self.options(caseSensitive))
    }

    /// As `endsWith` with options.
    public func endsWith(_ text: String, caseSensitive: Bool) -> Condition<Root> {
        endsWith(text, options: Self.options(caseSensitive))
    }

    /// As `contains` with options.
    public func contains(_ text: String, caseSensitive: Bool) -> Condition<Root> {
        contains(text, options: Self.options(caseSensitive))
    }

    /// As `startsWith`.
    public func hasPrefix(_ text: String, caseSensitive: Bool = true) -> Condition<Root> {
        startsWith(text, caseSensitive: caseSensitive)
    }

    /// As `endsWith`.
    public func hasSuffix(_ text: String, caseSensitive: Bool = true) -> Condition<Root> {
        endsWith(text, caseSensitive: caseSensitive)
    }

    private static func options(_ caseSensitive: Bool) -> StringOptions {
        caseSensitive ? [] : .caseInsensitive
    }
}
