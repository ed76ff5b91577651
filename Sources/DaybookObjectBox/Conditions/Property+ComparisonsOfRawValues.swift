public import Daybook

// Comparisons of enums, and of other types with raw values, with a raw value: `User.role == 2`.

extension Property
where Value: RawRepresentable, Value.RawValue: PropertyValue & OrderedValue {
    /// As `==` of the raw value.
    @_disfavoredOverload
    public static func == (property: Self, value: Value.RawValue) -> Condition<Root> {
        property.rawValue == value
    }

    /// As `!=` of the raw value.
    @_disfavoredOverload
    public static func != (property: Self, value: Value.RawValue) -> Condition<Root> {
        property.rawValue != value
    }

    /// As `==` of the raw value.
    @_disfavoredOverload
    public func isEqual(to value: Value.RawValue) -> Condition<Root> { rawValue == value }

    /// As `!=` of the raw value.
    @_disfavoredOverload
    public func isNotEqual(to value: Value.RawValue) -> Condition<Root> { rawValue != value }

    /// As `isIn` of the raw value.
    @_disfavoredOverload
    public func isIn(_ values: [Value.RawValue]) -> Condition<Root> { rawValue.isIn(values) }
}

extension Property
where
    Value: OptionalValue, Value.Wrapped: RawRepresentable,
    Value.Wrapped.RawValue: PropertyValue & OrderedValue
{
    /// As `==` of the raw value.
    @_disfavoredOverload
    public static func == (property: Self, value: Value.Wrapped.RawValue) -> Condition<Root> {
        property.rawValue == value
    }

    /// As `!=` of the raw value.
    @_disfavoredOverload
    public static func != (property: Self, value: Value.Wrapped.RawValue) -> Condition<Root> {
        property.rawValue != value
    }

    /// As `==` of the raw value.
    @_disfavoredOverload
    public func isEqual(to value: Value.Wrapped.RawValue) -> Condition<Root> { rawValue == value }

    /// As `!=` of the raw value.
    @_disfavoredOverload
    public func isNotEqual(to value: Value.Wrapped.RawValue) -> Condition<Root> {
        rawValue != value
    }
}
