public import Daybook

// ObjectBox's methods that compare enums, and other types with raw values, with a raw value:
// `User.role.isEqual(to: 2)`.

extension Daybook.Property
where Value: RawRepresentable, Value.RawValue: PropertyValue & OrderedValue {
    /// As `==` of the raw value.
    @_disfavoredOverload
    public func isEqual(to value: Value.RawValue) -> Condition<Root> { rawValue == value }

    /// As `!=` of the raw value.
    @_disfavoredOverload
    public func isNotEqual(to value: Value.RawValue) -> Condition<Root> { rawValue != value }
}

extension Daybook.Property
where
    Value: OptionalValue, Value.Wrapped: RawRepresentable,
    Value.Wrapped.RawValue: PropertyValue & OrderedValue
{
    /// As `==` of the raw value.
    @_disfavoredOverload
    public func isEqual(to value: Value.Wrapped.RawValue) -> Condition<Root> { rawValue == value }

    /// As `!=` of the raw value.
    @_disfavoredOverload
    public func isNotEqual(to value: Value.Wrapped.RawValue) -> Condition<Root> {
        rawValue != value
    }
}
