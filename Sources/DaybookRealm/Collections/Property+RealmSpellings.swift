public import Daybook

// The names of Realm for conditions that Daybook spells differently.

extension Property {
    /// As `==`.
    public func equals(_ value: Value) -> Condition<Root> { self == value }

    /// As `!=`.
    public func notEquals(_ value: Value) -> Condition<Root> { self != value }

    /// As `∈`.
    public func `in`(_ values: [Value]) -> Condition<Root> { self ∈ values }

    /// As `∈`.
    @_disfavoredOverload
    public func `in`(_ values: some Sequence<Value>) -> Condition<Root> { self ∈ values }
}

extension Property where Value: OrderedValue, Value.Operand: Comparable {
    /// As `∈`: `$0.age.contains(1..<9)`.
    public func contains(_ range: Range<Value.Operand>) -> Condition<Root> { self ∈ range }

    /// As `∈`: `$0.age.contains(1...9)`.
    public func contains(_ range: ClosedRange<Value.Operand>) -> Condition<Root> { self ∈ range }
}

extension Property {
    /// As `stored(as:)`.
    public func persistableValue<Stored: PropertyValue>(
        as type: Stored.Type
    ) -> Property<Root, Stored> { stored(as: type) }
}

extension Property where Value: TextValue {
    /// The opposite of `equals` with options.
    public func notEquals(_ text: String, options: StringOptions) -> Condition<Root> {
        !equals(text, options: options)
    }
}
