public import Daybook

// Comparisons as methods; Daybook has operators.

extension Daybook.Property {
    /// As `==`.
    public func isEqual(to value: Value) -> Condition<Root> { self == value }

    /// As `!=`.
    public func isNotEqual(to value: Value) -> Condition<Root> { self != value }

    /// The negation of `isIn`.
    public func isNotIn(_ values: [Value]) -> Condition<Root> { !isIn(values) }

    /// The negation of `isIn`.
    @_disfavoredOverload
    public func isNotIn(_ values: some Sequence<Value>) -> Condition<Root> { !isIn(values) }

    /// As `== nil`. Always false for a property that is not optional.
    public func isNil() -> Condition<Root> { isStoredNil }

    /// As `!= nil`.
    public func isNotNil() -> Condition<Root> { !isStoredNil }
}

extension Daybook.Property where Value: OrderedValue {
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

extension Daybook.Property where Value: OrderedValue, Value.Operand: Comparable {
    /// The negation of `isIn`.
    public func isNotIn(_ range: Range<Value.Operand>) -> Condition<Root> { !isIn(range) }

    /// The negation of `isIn`.
    public func isNotIn(_ range: ClosedRange<Value.Operand>) -> Condition<Root> { !isIn(range) }
}

extension Daybook.Property where Value: ToOneRelation {
    /// As `==` with an id.
    public func isEqual(to id: Id) -> Condition<Root> { self == EntityId<Value.Target>(id) }

    /// As `!=` with an id.
    public func isNotEqual(to id: Id) -> Condition<Root> { self != EntityId<Value.Target>(id) }

    /// As `==` with an object.
    @_disfavoredOverload
    public func isEqual(to object: Value.Target) -> Condition<Root> {
        isEqual(to: object.entityId)
    }
}

extension Daybook.Property where Value: ToManyRelation {
    /// As `any`.
    public func link(_ condition: () -> Condition<Value.Target>) -> Condition<Root> {
        any(condition)
    }

    /// As `any`.
    public func link(
        _ condition: (Value.Target.Type) -> Condition<Value.Target>
    ) -> Condition<Root> { any(condition) }
}
