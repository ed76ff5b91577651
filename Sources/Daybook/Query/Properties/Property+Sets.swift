import DaybookQuery

extension Property {
    /// Whether the property is equal to at least one value of an array. False for an empty array.
    /// Nil equals nil.
    public static func ∈ (property: Self, values: [Value]) -> Condition<Root> {
        property.isOne(of: values, [])
    }

    /// The negation of `∈`. True if the property is nil and no value is.
    public static func ∉ (property: Self, values: [Value]) -> Condition<Root> {
        !(property ∈ values)
    }

    /// Whether the property is equal to at least one value of a sequence. Same as `∈` of an array.
    @_disfavoredOverload
    public static func ∈ (property: Self, values: some Sequence<Value>) -> Condition<Root> {
        property.isOne(of: values, [])
    }

    /// The negation of `∈`. Same as `∉` of an array.
    @_disfavoredOverload
    public static func ∉ (property: Self, values: some Sequence<Value>) -> Condition<Root> {
        !(property ∈ values)
    }

    func isOne(of values: some Sequence<Value>, _ options: StringOptions) -> Condition<Root> {
        Condition(term) {
            .oneOf($0, try values.map { try conversion.queryValue(of: $0) }, options)
        }
    }
}

extension Property where Value: OrderedValue, Value.Operand: Comparable {
    /// Whether the property is in a range, excluding its upper bound. False if the property is nil.
    public static func ∈ (property: Self, range: Range<Value.Operand>) -> Condition<Root> {
        property.inside(range.lowerBound, range.upperBound, isUpperIncluded: false)
    }

    /// Whether the property is in a range, including its upper bound. False if the property is nil.
    public static func ∈ (property: Self, range: ClosedRange<Value.Operand>) -> Condition<Root> {
        property.inside(range.lowerBound, range.upperBound, isUpperIncluded: true)
    }

    /// The negation of `∈`. True if the property is nil.
    public static func ∉ (property: Self, range: Range<Value.Operand>) -> Condition<Root> {
        !(property ∈ range)
    }

    /// The negation of `∈`. True if the property is nil.
    public static func ∉ (property: Self, range: ClosedRange<Value.Operand>) -> Condition<Root> {
        !(property ∈ range)
    }
}
