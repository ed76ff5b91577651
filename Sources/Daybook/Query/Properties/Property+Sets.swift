import DaybookQuery

extension Property {
    /// Whether the property is equal to at least one value of an array. False for an empty array.
    /// Nil equals nil.
    public static func ∈ (property: Self, values: [Value]) -> Condition<Root> {
        property.isIn(values)
    }

    /// The negation of `∈`. True if the property is nil and no value is.
    public static func ∉ (property: Self, values: [Value]) -> Condition<Root> {
        !property.isIn(values)
    }

    /// Whether the property is equal to at least one value of a sequence. Same as `∈` of an array.
    @_disfavoredOverload
    public static func ∈ (property: Self, values: some Sequence<Value>) -> Condition<Root> {
        property.isIn(values)
    }

    /// The negation of `∈`. Same as `∉` of an array.
    @_disfavoredOverload
    public static func ∉ (property: Self, values: some Sequence<Value>) -> Condition<Root> {
        !property.isIn(values)
    }

    /// As `∈`.
    public func isIn(_ values: [Value]) -> Condition<Root> { isOne(of: values, []) }

    /// As `∉`.
    public func isNotIn(_ values: [Value]) -> Condition<Root> { !isIn(values) }

    /// As `∈`.
    @_disfavoredOverload
    public func isIn(_ values: some Sequence<Value>) -> Condition<Root> { isOne(of: values, []) }

    /// As `∉`.
    @_disfavoredOverload
    public func isNotIn(_ values: some Sequence<Value>) -> Condition<Root> { !isIn(values) }

    /// As `∈`.
    public func `in`(_ values: [Value]) -> Condition<Root> { isIn(values) }

    /// As `∈`.
    @_disfavoredOverload
    public func `in`(_ values: some Sequence<Value>) -> Condition<Root> { isIn(values) }

    func isOne(of values: some Sequence<Value>, _ options: StringOptions) -> Condition<Root> {
        Condition(term) {
            .oneOf($0, try values.map { try conversion.queryValue(of: $0) }, options)
        }
    }
}

extension Property where Value: OrderedValue, Value.Operand: Comparable {
    /// Whether the property is in a range, excluding its upper bound. False if the property is nil.
    public static func ∈ (property: Self, range: Range<Value.Operand>) -> Condition<Root> {
        property.isIn(range)
    }

    /// Whether the property is in a range, including its upper bound. False if the property is nil.
    public static func ∈ (property: Self, range: ClosedRange<Value.Operand>) -> Condition<Root> {
        property.isIn(range)
    }

    /// The negation of `∈`. True if the property is nil.
    public static func ∉ (property: Self, range: Range<Value.Operand>) -> Condition<Root> {
        !property.isIn(range)
    }

    /// The negation of `∈`. True if the property is nil.
    public static func ∉ (property: Self, range: ClosedRange<Value.Operand>) -> Condition<Root> {
        !property.isIn(range)
    }

    /// As `∈`.
    public func isIn(_ range: Range<Value.Operand>) -> Condition<Root> {
        inside(range.lowerBound, range.upperBound, isUpperIncluded: false)
    }

    /// As `∈`.
    public func isIn(_ range: ClosedRange<Value.Operand>) -> Condition<Root> {
        inside(range.lowerBound, range.upperBound, isUpperIncluded: true)
    }

    /// As `∉`.
    public func isNotIn(_ range: Range<Value.Operand>) -> Condition<Root> { !isIn(range) }

    /// As `∉`.
    public func isNotIn(_ range: ClosedRange<Value.Operand>) -> Condition<Root> { !isIn(range) }

    /// Whether a range contains it: `$0.age.contains(1..<9)`.
    public func contains(_ range: Range<Value.Operand>) -> Condition<Root> { isIn(range) }

    /// Whether a range contains it: `$0.age.contains(1...9)`.
    public func contains(_ range: ClosedRange<Value.Operand>) -> Condition<Root> { isIn(range) }
}
