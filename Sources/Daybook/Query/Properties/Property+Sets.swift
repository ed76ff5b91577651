import DaybookQuery

extension Property {
    /// Whether the property is equal to at least one value of an array. False for an empty array.
    /// Nil equals nil.
    public func isIn(_ values: [Value]) -> Condition<Root> { isOne(of: values, []) }

    /// Whether the property is equal to at least one value of a sequence. Same as `isIn` of an
    /// array.
    @_disfavoredOverload
    public func isIn(_ values: some Sequence<Value>) -> Condition<Root> { isOne(of: values, []) }

    func isOne(of values: some Sequence<Value>, _ options: StringOptions) -> Condition<Root> {
        Condition(term) {
            .oneOf($0, try values.map { try conversion.queryValue(of: $0) }, options)
        }
    }
}

extension Property where Value: OrderedValue, Value.Operand: Comparable {
    /// Whether the property is in a range, excluding its upper bound. False if the property is nil.
    public func isIn(_ range: Range<Value.Operand>) -> Condition<Root> {
        inside(range.lowerBound, range.upperBound, isUpperIncluded: false)
    }

    /// Whether the property is in a range, including its upper bound. False if the property is nil.
    public func isIn(_ range: ClosedRange<Value.Operand>) -> Condition<Root> {
        inside(range.lowerBound, range.upperBound, isUpperIncluded: true)
    }
}
