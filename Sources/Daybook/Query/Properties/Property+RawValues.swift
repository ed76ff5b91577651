// Types with raw values, such as enums, that do not state that they are a property's: by
// themselves, optional, in arrays, sets and dictionaries.

extension Property {
    /// The property of that name, of a type with raw values.
    @_disfavoredOverload
    public init(_ name: String)
    where Value: RawRepresentable, Value.RawValue: PropertyValue & Equatable {
        self.init(named: name, RawConversion<Value>())
    }

    /// The property of that name, of an optional type with raw values.
    @_disfavoredOverload
    public init<E: RawRepresentable>(_ name: String)
    where Value == E?, E.RawValue: PropertyValue & Equatable {
        self.init(named: name, OptionalConversion(RawConversion<E>()))
    }

    /// The array of that name, of a type with raw values.
    @_disfavoredOverload
    public init<E: RawRepresentable>(_ name: String)
    where Value == [E], E.RawValue: PropertyValue & Equatable {
        self.init(named: name, RawArrayConversion<E>())
    }

    /// The optional array of that name, of a type with raw values.
    @_disfavoredOverload
    public init<E: RawRepresentable>(_ name: String)
    where Value == [E]?, E.RawValue: PropertyValue & Equatable {
        self.init(named: name, OptionalConversion(RawArrayConversion<E>()))
    }

    /// The set of that name, of a type with raw values.
    @_disfavoredOverload
    public init<E: RawRepresentable & Hashable>(_ name: String)
    where Value == Set<E>, E.RawValue: PropertyValue & Hashable {
        self.init(named: name, RawSetConversion<E>())
    }

    /// The optional set of that name, of a type with raw values.
    @_disfavoredOverload
    public init<E: RawRepresentable & Hashable>(_ name: String)
    where Value == Set<E>?, E.RawValue: PropertyValue & Hashable {
        self.init(named: name, OptionalConversion(RawSetConversion<E>()))
    }

    /// The dictionary of that name, of a type with raw values.
    @_disfavoredOverload
    public init<E: RawRepresentable>(_ name: String)
    where Value == [String: E], E.RawValue: PropertyValue & Equatable {
        self.init(named: name, RawDictionaryConversion<E>())
    }

    /// The optional dictionary of that name, of a type with raw values.
    @_disfavoredOverload
    public init<E: RawRepresentable>(_ name: String)
    where Value == [String: E]?, E.RawValue: PropertyValue & Equatable {
        self.init(named: name, OptionalConversion(RawDictionaryConversion<E>()))
    }
}
