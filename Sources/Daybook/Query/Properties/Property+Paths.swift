#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

// For properties whose types only the compiler knows: the path says the type, and is not kept.

extension Property {
    /// The property of that name in Swift; also a relation, or a backlink under its name.
    public init(_ path: KeyPath<Root, Value>, _ name: String) where Value: PropertyValue {
        self.init(name)
    }

    /// The id of the type, which `name` is the property of.
    public init(_ path: KeyPath<Root, Value>, identity name: String)
    where Value: ObjectIdentity {
        self.init(identity: name)
    }

    /// The `Date` of that name, which is kept to the nanosecond.
    public init(_ path: KeyPath<Root, Value>, nanoseconds name: String) where Value == Date {
        self.init(nanoseconds: name)
    }

    /// The optional `Date` of that name, which is kept to the nanosecond.
    public init(_ path: KeyPath<Root, Value>, nanoseconds name: String) where Value == Date? {
        self.init(nanoseconds: name)
    }

    /// The property of that name, which is kept as JSON.
    @_disfavoredOverload
    public init(_ path: KeyPath<Root, Value>, encoded name: String) where Value: Codable {
        self.init(encoded: name)
    }

    /// The optional property of that name, which is kept as JSON.
    public init<Wrapped: Codable>(_ path: KeyPath<Root, Value>, encoded name: String)
    where Value == Wrapped? {
        self.init(encoded: name)
    }

    /// The property of that name, which a converter turns into values of `type`.
    public init<Stored: PropertyValue>(
        _ path: KeyPath<Root, Value>, _ name: String, converting type: Stored.Type,
        with convert: @escaping @Sendable (Value) throws -> Stored
    ) {
        self.init(name, converting: type, with: convert)
    }

    /// The property of that name, which a converter turns into values of `type` or none.
    @_disfavoredOverload
    public init<Stored: PropertyValue>(
        _ path: KeyPath<Root, Value>, _ name: String, converting type: Stored.Type,
        with convert: @escaping @Sendable (Value) throws -> Stored?
    ) {
        self.init(name, converting: type, with: convert)
    }
}

extension Property {
    /// The property of that name, of a type with raw values.
    @_disfavoredOverload
    public init(_ path: KeyPath<Root, Value>, _ name: String)
    where Value: RawRepresentable, Value.RawValue: PropertyValue & Equatable {
        self.init(named: name, RawConversion<Value>())
    }

    /// The property of that name, of an optional type with raw values.
    @_disfavoredOverload
    public init<E: RawRepresentable>(_ path: KeyPath<Root, Value>, _ name: String)
    where Value == E?, E.RawValue: PropertyValue & Equatable {
        self.init(named: name, OptionalConversion(RawConversion<E>()))
    }

    /// The array of that name, of a type with raw values.
    @_disfavoredOverload
    public init<E: RawRepresentable>(_ path: KeyPath<Root, Value>, _ name: String)
    where Value == [E], E.RawValue: PropertyValue & Equatable {
        self.init(named: name, RawArrayConversion<E>())
    }

    /// The optional array of that name, of a type with raw values.
    @_disfavoredOverload
    public init<E: RawRepresentable>(_ path: KeyPath<Root, Value>, _ name: String)
    where Value == [E]?, E.RawValue: PropertyValue & Equatable {
        self.init(named: name, OptionalConversion(RawArrayConversion<E>()))
    }

    /// The set of that name, of a type with raw values.
    @_disfavoredOverload
    public init<E: RawRepresentable & Hashable>(_ path: KeyPath<Root, Value>, _ name: String)
    where Value == Set<E>, E.RawValue: PropertyValue & Hashable {
        self.init(named: name, RawSetConversion<E>())
    }

    /// The optional set of that name, of a type with raw values.
    @_disfavoredOverload
    public init<E: RawRepresentable & Hashable>(_ path: KeyPath<Root, Value>, _ name: String)
    where Value == Set<E>?, E.RawValue: PropertyValue & Hashable {
        self.init(named: name, OptionalConversion(RawSetConversion<E>()))
    }

    /// The dictionary of that name, of a type with raw values.
    @_disfavoredOverload
    public init<E: RawRepresentable>(_ path: KeyPath<Root, Value>, _ name: String)
    where Value == [String: E], E.RawValue: PropertyValue & Equatable {
        self.init(named: name, RawDictionaryConversion<E>())
    }

    /// The optional dictionary of that name, of a type with raw values.
    @_disfavoredOverload
    public init<E: RawRepresentable>(_ path: KeyPath<Root, Value>, _ name: String)
    where Value == [String: E]?, E.RawValue: PropertyValue & Equatable {
        self.init(named: name, OptionalConversion(RawDictionaryConversion<E>()))
    }
}
