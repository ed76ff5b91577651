// Raw-representable types, such as enums, that do not conform to `PropertyValue`: plain, optional,
// and in arrays, sets and dictionaries.

extension Property {
    /// Creates a property of a raw-representable type.
    @_disfavoredOverload
    public init(_ name: String)
    where Value: RawRepresentable, Value.RawValue: PropertyValue & Equatable {
        self.init(named: name, RawConversion<Value>())
    }

    /// Creates a property of an optional raw-representable type.
    @_disfavoredOverload
    public init<E: RawRepresentable>(_ name: String)
    where Value == E?, E.RawValue: PropertyValue & Equatable {
        self.init(named: name, OptionalConversion(RawConversion<E>()))
    }

    /// Creates a property of an array of a raw-representable type.
    @_disfavoredOverload
    public init<E: RawRepresentable>(_ name: String)
    where Value == [E], E.RawValue: PropertyValue & Equatable {
        self.init(named: name, RawArrayConversion<E>())
    }

    /// Creates a property of an optional array of a raw-representable type.
    @_disfavoredOverload
    public init<E: RawRepresentable>(_ name: String)
    where Value == [E]?, E.RawValue: PropertyValue & Equatable {
        self.init(named: name, OptionalConversion(RawArrayConversion<E>()))
    }

    /// Creates a property of a set of a raw-representable type.
    @_disfavoredOverload
    public init<E: RawRepresentable & Hashable>(_ name: String)
    where Value == Set<E>, E.RawValue: PropertyValue & Hashable {
        self.init(named: name, RawSetConversion<E>())
    }

    /// Creates a property of an optional set of a raw-representable type.
    @_disfavoredOverload
    public init<E: RawRepresentable & Hashable>(_ name: String)
    where Value == Set<E>?, E.RawValue: PropertyValue & Hashable {
        self.init(named: name, OptionalConversion(RawSetConversion<E>()))
    }

    /// Creates a property of a dictionary with values of a raw-representable type.
    @_disfavoredOverload
    public init<E: RawRepresentable>(_ name: String)
    where Value == [String: E], E.RawValue: PropertyValue & Equatable {
        self.init(named: name, RawDictionaryConversion<E>())
    }

    /// Creates a property of an optional dictionary with values of a raw-representable type.
    @_disfavoredOverload
    public init<E: RawRepresentable>(_ name: String)
    where Value == [String: E]?, E.RawValue: PropertyValue & Equatable {
        self.init(named: name, OptionalConversion(RawDictionaryConversion<E>()))
    }
}
