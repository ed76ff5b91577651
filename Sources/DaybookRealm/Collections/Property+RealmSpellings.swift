public import Daybook

// Realm's names for conditions that have other names in Daybook.

extension Property {
    /// Same as `==`.
    public func equals(_ value: Value) -> Condition<Root> { self == value }

    /// Same as `!=`.
    public func notEquals(_ value: Value) -> Condition<Root> { self != value }

    /// Same as `∈`.
    public func `in`(_ values: [Value]) -> Condition<Root> { self ∈ values }

    /// Same as `∈`.
    @_disfavoredOverload
    public func `in`(_ values: some Sequence<Value>) -> Condition<Root> { self ∈ values }
}

extension Property where Value: OrderedValue, Value.Operand: Comparable {
    /// Same as `∈`: `$0.age.contains(1..<9)`.
    public func contains(_ range: Range<Value.Operand>) -> Condition<Root> { self ∈ range }

    /// Same as `∈`: `$0.age.contains(1...9)`.
    public func contains(_ range: ClosedRange<Value.Operand>) -> Condition<Root> { self ∈ range }
}

extension Property {
    /// Same as `stored(as:)`.
    public func persistableValue<Stored: PropertyValue>(
        as type: Stored.Type
    ) -> Property<Root, Stored> { stored(as: type) }
}

extension Property where Value: TextValue {
    /// The negation of `equals` with options.
    public func notEquals(_ text: String, options: StringOptions) -> Condition<Root> {
        !equals(text, options: options)
    }
}
