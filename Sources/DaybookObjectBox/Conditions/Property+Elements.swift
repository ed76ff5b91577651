public import Daybook

// Conditions about the elements of a collection; Daybook has `any { … }`.

extension Daybook.Property where Value: CollectionValue, Value.Member: OrderedValue {
    /// Whether an element is less than a value: `any { $0 < value }`.
    public func isLessThan(_ value: Value.Member.Operand) -> Condition<Root> {
        any { $0 < value }
    }

    /// Whether an element is less than or equal to a value: `any { $0 <= value }`.
    public func isLessOrEqual(_ value: Value.Member.Operand) -> Condition<Root> {
        any { $0 <= value }
    }

    /// Whether an element is greater than a value: `any { $0 > value }`.
    public func isGreaterThan(_ value: Value.Member.Operand) -> Condition<Root> {
        any { $0 > value }
    }

    /// Whether an element is greater than or equal to a value: `any { $0 >= value }`.
    public func isGreaterOrEqual(_ value: Value.Member.Operand) -> Condition<Root> {
        any { $0 >= value }
    }

    /// Whether an element is equal to a value: `any { $0 == value }`.
    public func isEqual(to value: Value.Member.Operand) -> Condition<Root> {
        any { $0 == Value.Member.ordered(value) }
    }
}

extension Daybook.Property where Value: CollectionValue, Value.Member: TextValue {
    /// Whether an element is equal to a text: `any { $0.equals(text, options: …) }`.
    public func containsElement(
        _ text: String, caseSensitive: Bool = true
    ) -> Condition<Root> {
        any { $0.equals(text, options: caseSensitive ? [] : .caseInsensitive) }
    }

    /// As ``containsElement(_:caseSensitive:)``.
    public func containsElement(
        element text: String, caseSensitive: Bool = true
    ) -> Condition<Root> { containsElement(text, caseSensitive: caseSensitive) }
}
