import DaybookQuery

// Properties as their stored values.

extension Property where Value: RawRepresentable, Value.RawValue: PropertyValue {
    /// The raw values of the property. Raw values can be ordered, and tested for prefixes if they
    /// are strings: `Order.status.rawValue > 2`.
    public var rawValue: Property<Root, Value.RawValue> { stored(as: Value.RawValue.self) }
}

extension Property
where
    Value: OptionalValue, Value.Wrapped: RawRepresentable, Value.Wrapped.RawValue: PropertyValue
{
    /// The raw values of the property. Raw values can be ordered, and tested for prefixes if they
    /// are strings.
    public var rawValue: Property<Root, Value.Wrapped.RawValue?> {
        stored(as: Value.Wrapped.RawValue?.self)
    }
}

extension Property {
    /// Returns the property as its stored values, such as the values that a converter returns. If
    /// `type` is not the stored type, building or running a query throws `.invalidArgument`.
    public func stored<Stored: PropertyValue>(as type: Stored.Type) -> Property<Root, Stored> {
        Property<Root, Stored>(term, PlainConversion<Stored>())
    }
}

extension Property where Value: NumericValue {
    /// Whether the property differs from a number by at most a tolerance. False if the property is
    /// nil or NaN. A negative tolerance, or one that is NaN, is an error of the query.
    public func isEqual(to value: Double, tolerance: Double) -> Condition<Root> {
        Condition(term) { .near($0, value, tolerance: tolerance) }
    }
}
