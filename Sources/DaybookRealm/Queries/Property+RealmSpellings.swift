public import Daybook

// Realm's names for conditions that have other names in Daybook.

extension Property {
    /// Same as `==`.
    public func equals(_ value: Value) -> Condition<Root> { self == value }

    /// Same as `!=`.
    public func notEquals(_ value: Value) -> Condition<Root> { self != value }

    /// Same as `isIn`.
    public func `in`(_ values: [Value]) -> Condition<Root> { isIn(values) }

    /// Same as `isIn`.
    @_disfavoredOverload
    public func `in`(_ values: some Sequence<Value>) -> Condition<Root> { isIn(values) }
}

extension Property where Value: OrderedValue, Value.Operand: Comparable {
    /// Same as `isIn`: `$0.age.contains(1..<9)`.
    public func contains(_ range: Range<Value.Operand>) -> Condition<Root> { isIn(range) }

    /// Same as `isIn`: `$0.age.contains(1...9)`.
    public func contains(_ range: ClosedRange<Value.Operand>) -> Condition<Root> { isIn(range) }
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

    /// Same as `startsWith`.
    public func starts(with text: String, options: StringOptions = []) -> Condition<Root> {
        startsWith(text, options: options)
    }

    /// Same as `endsWith`.
    public func ends(with text: String, options: StringOptions = []) -> Condition<Root> {
        endsWith(text, options: options)
    }

    /// Same as `startsWith` with another property.
    public func starts<Other: TextValue>(
        with other: Property<Root, Other>, options: StringOptions = []
    ) -> Condition<Root> { startsWith(other, options: options) }

    /// Same as `endsWith` with another property.
    public func ends<Other: TextValue>(
        with other: Property<Root, Other>, options: StringOptions = []
    ) -> Condition<Root> { endsWith(other, options: options) }

    /// Same as `like` with options.
    public func like(_ pattern: String, caseInsensitive: Bool) -> Condition<Root> {
        like(pattern, options: caseInsensitive ? .caseInsensitive : [])
    }
}

extension Property where Value: CollectionValue {
    /// Whether an element is equal to at least one of the given values: `any { $0.isIn(elements)
    /// }`.
    public func containsAny(in elements: some Sequence<Value.Member>) -> Condition<Root> {
        any { $0.isIn(elements) }
    }
}

extension Property
where Value: CollectionValue, Value.Member: OrderedValue, Value.Member.Operand: Comparable {
    /// Whether an element is in a range: `any { $0.isIn(range) }`.
    public func contains(_ range: Range<Value.Member.Operand>) -> Condition<Root> {
        any { $0.isIn(range) }
    }

    /// Whether an element is in a range, including its upper bound: `any { $0.isIn(range) }`.
    public func contains(_ range: ClosedRange<Value.Member.Operand>) -> Condition<Root> {
        any { $0.isIn(range) }
    }
}

extension Property where Value: MapValue {
    /// The values of the map. Same as the map itself.
    public var values: Self { self }
}

extension Property where Value: NumericValue {
    /// Same as `average`.
    public var avg: Property<Root, Double?> { average }
}

extension Property where Value: CollectionValue, Value.Member: NumericValue {
    /// Same as `average`.
    public var avg: Property<Root, Double?> { average }
}
