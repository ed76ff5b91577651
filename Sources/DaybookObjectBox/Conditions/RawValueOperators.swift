public import Daybook

// ObjectBox's operators of conditions, with the raw values of enums and of other raw-representable
// types.

extension Daybook.Property where Value: RawRepresentable, Value.RawValue: PropertyValue {
    /// As `isIn`.
    @_disfavoredOverload
    public static func ∈ (property: Self, values: [Value.RawValue]) -> Condition<Root> {
        property.isIn(values)
    }

    /// The negation of `∈`.
    @_disfavoredOverload
    public static func ∉ (property: Self, values: [Value.RawValue]) -> Condition<Root> {
        !property.isIn(values)
    }
}

extension Daybook.Property
where
    Value: RawRepresentable, Value.RawValue: PropertyValue & OrderedValue,
    Value.RawValue.Operand: Comparable
{
    /// As `isIn`.
    public static func ∈ (
        property: Self, range: Range<Value.RawValue.Operand>
    ) -> Condition<Root> { property.isIn(range) }

    /// As `isIn`.
    public static func ∈ (
        property: Self, range: ClosedRange<Value.RawValue.Operand>
    ) -> Condition<Root> { property.isIn(range) }

    /// The negation of `∈`.
    public static func ∉ (
        property: Self, range: Range<Value.RawValue.Operand>
    ) -> Condition<Root> { !property.isIn(range) }

    /// The negation of `∈`.
    public static func ∉ (
        property: Self, range: ClosedRange<Value.RawValue.Operand>
    ) -> Condition<Root> { !property.isIn(range) }
}

extension Daybook.Property
where
    Value: OptionalValue, Value.Wrapped: RawRepresentable, Value.Wrapped.RawValue: PropertyValue
{
    /// As `isIn`.
    @_disfavoredOverload
    public static func ∈ (property: Self, values: [Value.Wrapped.RawValue?]) -> Condition<Root> {
        property.rawValue.isIn(values)
    }

    /// The negation of `∈`.
    @_disfavoredOverload
    public static func ∉ (property: Self, values: [Value.Wrapped.RawValue?]) -> Condition<Root> {
        !property.rawValue.isIn(values)
    }
}

extension Daybook.Property
where
    Value: OptionalValue, Value.Wrapped: RawRepresentable,
    Value.Wrapped.RawValue: PropertyValue & OrderedValue,
    Value.Wrapped.RawValue.Operand: Comparable
{
    /// As `isIn`.
    public static func ∈ (
        property: Self, range: Range<Value.Wrapped.RawValue.Operand>
    ) -> Condition<Root> { property.isIn(range) }

    /// As `isIn`.
    public static func ∈ (
        property: Self, range: ClosedRange<Value.Wrapped.RawValue.Operand>
    ) -> Condition<Root> { property.isIn(range) }

    /// The negation of `∈`.
    public static func ∉ (
        property: Self, range: Range<Value.Wrapped.RawValue.Operand>
    ) -> Condition<Root> { !property.isIn(range) }

    /// The negation of `∈`.
    public static func ∉ (
        property: Self, range: ClosedRange<Value.Wrapped.RawValue.Operand>
    ) -> Condition<Root> { !property.isIn(range) }
}
