public import Daybook

// Comparisons as methods; Daybook has operators.

extension Property {
    /// As `==`.
    public func isEqual(to value: Value) -> Condition<Root> { self == value }

    /// As `!=`.
    public func isNotEqual(to value: Value) -> Condition<Root> { self != value }

    /// As `∈`.
    public func isIn(_ values: [Value]) -> Condition<Root> { self ∈ values }

    /// As `∉`.
    public func isNotIn(_ values: [Value]) -> Condition<Root> { self ∉ values }

    /// As `∈`.
    @_disfavoredOverload
    public func isIn(_ values: some Sequence<Value>) -> Condition<Root> { self ∈ values }

    /// As `∉`.
    @_disfavoredOverload
    public func isNotIn(_ values: some Sequence<Value>) -> Condition<Root> { self ∉ values }
}

extension Property where Value: OrderedValue {
    /// As `<`.
    public func isLessThan(_ value: Value.Operand) -> Condition<Root> { self < value }

    /// As `<=`.
    public func isLessOrEqual(_ value: Value.Operand) -> Condition<Root> { self <= value }

    /// As `<=`.
    public func isLessThanEqual(_ value: Value.Operand) -> Condition<Root> { self <= value }

    /// As `>`.
    public func isGreaterThan(_ value: Value.Operand) -> Condition<Root> { self > value }

    /// As `>=`.
    public func isGreaterOrEqual(_ value: Value.Operand) -> Condition<Root> { self >= value }

    /// As `>=`.
    public func isGreaterThanEqual(_ value: Value.Operand) -> Condition<Root> { self >= value }

    /// As `<`, for dates.
    public func isBefore(_ value: Value.Operand) -> Condition<Root> { self < value }

    /// As `>`, for dates.
    public func isAfter(_ value: Value.Operand) -> Condition<Root> { self > value }
}

extension Property where Value: OrderedValue, Value.Operand: Comparable {
    /// As `∈`.
    public func isIn(_ range: Range<Value.Operand>) -> Condition<Root> { self ∈ range }

    /// As `∈`.
    public func isIn(_ range: ClosedRange<Value.Operand>) -> Condition<Root> { self ∈ range }

    /// As `∉`.
    public func isNotIn(_ range: Range<Value.Operand>) -> Condition<Root> { self ∉ range }

    /// As `∉`.
    public func isNotIn(_ range: ClosedRange<Value.Operand>) -> Condition<Root> { self ∉ range }
}

extension Property where Value: TextValue {
    /// As `equals` of Daybook, with options.
    public func isEqual(to text: String, caseSensitive: Bool) -> Condition<Root> {
        equals(text, options: caseSensitive ? [] : .caseInsensitive)
    }

    /// The opposite of ``isEqual(to:caseSensitive:)``.
    public func isNotEqual(to text: String, caseSensitive: Bool) -> Condition<Root> {
        !isEqual(to: text, caseSensitive: caseSensitive)
    }

    /// As `startsWith`.
    public func hasPrefix(_ text: String, caseSensitive: Bool = true) -> Condition<Root> {
        startsWith(text, caseSensitive: caseSensitive)
    }

    /// As `endsWith`.
    public func hasSuffix(_ text: String, caseSensitive: Bool = true) -> Condition<Root> {
        endsWith(text, caseSensitive: caseSensitive)
    }
}

extension Property where Value: ToOneRelation {
    /// As `==` with an id.
    public func isEqual(to id: Id) -> Condition<Root> { self == EntityId<Value.Target>(id) }

    /// As `!=` with an id.
    public func isNotEqual(to id: Id) -> Condition<Root> { self != EntityId<Value.Target>(id) }

    /// As `==` with an object.
    @_disfavoredOverload
    public func isEqual(to object: Value.Target) -> Condition<Root> {
        isEqual(to: object.entityId)
    }

    /// As `∈` with ids.
    public func isIn(_ ids: [EntityId<Value.Target>]) -> Condition<Root> { self ∈ ids }
}
