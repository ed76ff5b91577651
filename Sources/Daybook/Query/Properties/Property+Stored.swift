import DaybookQuery

// The same property as what is stored for it.

extension Property where Value: RawRepresentable, Value.RawValue: PropertyValue {
    /// The raw values, which have an order and, where they are texts, prefixes:
    /// `Order.status.rawValue > 2`.
    public var rawValue: Property<Root, Value.RawValue> { stored(as: Value.RawValue.self) }
}

extension Property
where
    Value: OptionalValue, Value.Wrapped: RawRepresentable, Value.Wrapped.RawValue: PropertyValue
{
    /// The raw values, which have an order and, where they are texts, prefixes.
    public var rawValue: Property<Root, Value.Wrapped.RawValue?> {
        stored(as: Value.Wrapped.RawValue?.self)
    }
}

extension Property {
    /// What a converter makes of the values, or what else is stored for them. A type that is not
    /// the stored one is an error when a query is built or run.
    public func stored<Stored: PropertyValue>(as type: Stored.Type) -> Property<Root, Stored> {
        Property<Root, Stored>(term, PlainConversion<Stored>())
    }
}

extension Property where Value: NumericValue {
    /// Whether it is no further from a number than a tolerance. Never true of nil and of what is
    /// not a number. A tolerance that is negative or not a number is an error.
    public func isEqual(to value: Double, tolerance: Double) -> Condition<Root> {
        Condition(term) { .near($0, value, tolerance: tolerance) }
    }
}
