// Comparisons of raw-representable types, such as enums, with raw values:
// `Order.status == Status.open.rawValue`, `Order.status < 3`. They compare the stored values, as
// `rawValue` does. An operand that could be both is a value of the property's type.

extension Property where Value: RawRepresentable, Value.RawValue: PropertyValue {
    /// Whether the property has a raw value. As `rawValue == value`.
    @_disfavoredOverload
    public static func == (property: Self, value: Value.RawValue) -> Condition<Root> {
        property.rawValue == value
    }

    /// The negation of `==`.
    @_disfavoredOverload
    public static func != (property: Self, value: Value.RawValue) -> Condition<Root> {
        !(property == value)
    }

    /// Whether the property has one of some raw values. False for an empty array.
    @_disfavoredOverload
    public func isIn(_ values: [Value.RawValue]) -> Condition<Root> { rawValue.isIn(values) }
}

extension Property
where Value: RawRepresentable, Value.RawValue: PropertyValue & OrderedValue {
    /// Whether the raw value of the property is less than a value.
    public static func < (property: Self, value: Value.RawValue.Operand) -> Condition<Root> {
        property.rawValue < value
    }

    /// Whether the raw value of the property is less than or equal to a value.
    public static func <= (property: Self, value: Value.RawValue.Operand) -> Condition<Root> {
        property.rawValue <= value
    }

    /// Whether the raw value of the property is greater than a value.
    public static func > (property: Self, value: Value.RawValue.Operand) -> Condition<Root> {
        property.rawValue > value
    }

    /// Whether the raw value of the property is greater than or equal to a value.
    public static func >= (property: Self, value: Value.RawValue.Operand) -> Condition<Root> {
        property.rawValue >= value
    }

    /// Whether the raw value of the property is between two values, which are included and can be
    /// passed in either order.
    public func isBetween(
        _ one: Value.RawValue.Operand, and other: Value.RawValue.Operand
    ) -> Condition<Root> { rawValue.isBetween(one, and: other) }
}

extension Property
where
    Value: RawRepresentable, Value.RawValue: PropertyValue & OrderedValue,
    Value.RawValue.Operand: Comparable
{
    /// Whether the raw value of the property is in a range, excluding its upper bound.
    public func isIn(_ range: Range<Value.RawValue.Operand>) -> Condition<Root> {
        rawValue.isIn(range)
    }

    /// Whether the raw value of the property is in a range, including its upper bound.
    public func isIn(_ range: ClosedRange<Value.RawValue.Operand>) -> Condition<Root> {
        rawValue.isIn(range)
    }
}
