// Comparisons of optional raw-representable types with raw values. Nil has no raw value: it equals
// nil only, and is neither less nor greater than any value.

extension Property {
    /// Whether the property has a raw value. As `rawValue == value`.
    @_disfavoredOverload
    public static func == <E: RawRepresentable>(
        property: Self, value: E.RawValue?
    ) -> Condition<Root> where Value == E?, E.RawValue: PropertyValue {
        property.rawValue == value
    }

    /// The negation of `==`. True if the property is nil and the value is not.
    @_disfavoredOverload
    public static func != <E: RawRepresentable>(
        property: Self, value: E.RawValue?
    ) -> Condition<Root> where Value == E?, E.RawValue: PropertyValue {
        !(property == value)
    }

    /// An operand of another type. Exists for the message of the compiler.
    @available(*, unavailable, message: "compare it with a value of its type or a raw value")
    public static func == <E: RawRepresentable>(
        property: Self, value: some PropertyValue
    ) -> Condition<Root> where Value == E? { .always(false) }

    /// An operand of another type. Exists for the message of the compiler.
    @available(*, unavailable, message: "compare it with a value of its type or a raw value")
    public static func != <E: RawRepresentable>(
        property: Self, value: some PropertyValue
    ) -> Condition<Root> where Value == E? { .always(false) }

    /// Whether the property has one of some raw values. False for an empty array. Nil equals nil.
    @_disfavoredOverload
    public func isIn<E: RawRepresentable>(
        _ values: [E.RawValue?]
    ) -> Condition<Root> where Value == E?, E.RawValue: PropertyValue {
        rawValue.isIn(values)
    }
}

extension Property
where
    Value: OptionalValue, Value.Wrapped: RawRepresentable,
    Value.Wrapped.RawValue: PropertyValue & OrderedValue
{
    /// Whether the raw value of the property is less than a value. False if the property is nil.
    public static func < (
        property: Self, value: Value.Wrapped.RawValue.Operand
    ) -> Condition<Root> { property.rawValue < value }

    /// Whether the raw value of the property is less than or equal to a value. False if the
    /// property is nil.
    public static func <= (
        property: Self, value: Value.Wrapped.RawValue.Operand
    ) -> Condition<Root> { property.rawValue <= value }

    /// Whether the raw value of the property is greater than a value. False if the property is nil.
    public static func > (
        property: Self, value: Value.Wrapped.RawValue.Operand
    ) -> Condition<Root> { property.rawValue > value }

    /// Whether the raw value of the property is greater than or equal to a value. False if the
    /// property is nil.
    public static func >= (
        property: Self, value: Value.Wrapped.RawValue.Operand
    ) -> Condition<Root> { property.rawValue >= value }

    /// Whether the raw value of the property is between two values, which are included and can be
    /// passed in either order. False if the property is nil.
    public func isBetween(
        _ one: Value.Wrapped.RawValue.Operand, and other: Value.Wrapped.RawValue.Operand
    ) -> Condition<Root> { rawValue.isBetween(one, and: other) }
}

extension Property
where
    Value: OptionalValue, Value.Wrapped: RawRepresentable,
    Value.Wrapped.RawValue: PropertyValue & OrderedValue,
    Value.Wrapped.RawValue.Operand: Comparable
{
    /// Whether the raw value of the property is in a range, excluding its upper bound. False if the
    /// property is nil.
    public func isIn(_ range: Range<Value.Wrapped.RawValue.Operand>) -> Condition<Root> {
        rawValue.isIn(range)
    }

    /// Whether the raw value of the property is in a range, including its upper bound. False if the
    /// property is nil.
    public func isIn(_ range: ClosedRange<Value.Wrapped.RawValue.Operand>) -> Condition<Root> {
        rawValue.isIn(range)
    }
}
