import DaybookQuery

extension Property {
    /// Whether its value is one of some; of none never. Nil among them stands for nil.
    public static func ∈ (property: Self, values: [Value]) -> Condition<Root> {
        property.isOne(of: values, [])
    }

    /// The opposite of `∈`: true of nil, unless that is among the values.
    public static func ∉ (property: Self, values: [Value]) -> Condition<Root> {
        !(property ∈ values)
    }

    /// As `∈` of an array.
    @_disfavoredOverload
    public static func ∈ (property: Self, values: some Sequence<Value>) -> Condition<Root> {
        property.isOne(of: values, [])
    }

    /// As `∉` of an array.
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
    /// Whether it is in a range without its end.
    public static func ∈ (property: Self, range: Range<Value.Operand>) -> Condition<Root> {
        property.inside(range.lowerBound, range.upperBound, isUpperIncluded: false)
    }

    /// Whether it is in a range, its end included.
    public static func ∈ (property: Self, range: ClosedRange<Value.Operand>) -> Condition<Root> {
        property.inside(range.lowerBound, range.upperBound, isUpperIncluded: true)
    }

    /// The opposite of `∈`: true of nil.
    public static func ∉ (property: Self, range: Range<Value.Operand>) -> Condition<Root> {
        !(property ∈ range)
    }

    /// The opposite of `∈`: true of nil.
    public static func ∉ (property: Self, range: ClosedRange<Value.Operand>) -> Condition<Root> {
        !(property ∈ range)
    }
}
