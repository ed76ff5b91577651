#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

// Initializers for properties whose types are inferred by the compiler. The path provides the type,
// and is not kept.

extension Property {
    /// Creates the property with a Swift name. It may be a relation or a backlink.
    public init(_ path: KeyPath<Root, Value>, _ name: String) where Value: PropertyValue {
        self.init(name)
    }

    /// Creates the id property of the type. `name` is its Swift name.
    public init(_ path: KeyPath<Root, Value>, identity name: String)
    where Value: ObjectIdentity {
        self.init(identity: name)
    }

    /// Creates the property of a `Date` that is stored with nanosecond precision.
    public init(_ path: KeyPath<Root, Value>, nanoseconds name: String) where Value == Date {
        self.init(nanoseconds: name)
    }

    /// Creates the property of an optional `Date` that is stored with nanosecond precision.
    public init(_ path: KeyPath<Root, Value>, nanoseconds name: String) where Value == Date? {
        self.init(nanoseconds: name)
    }

    /// Creates a property that is stored as JSON.
    @_disfavoredOverload
    public init(_ path: KeyPath<Root, Value>, encoded name: String) where Value: Codable {
        self.init(encoded: name)
    }

    /// Creates an optional property that is stored as JSON.
    public init<Wrapped: Codable>(_ path: KeyPath<Root, Value>, encoded name: String)
    where Value == Wrapped? {
        self.init(encoded: name)
    }

    /// Creates a property that a converter stores as `type`.
    public init<Stored: PropertyValue>(
        _ path: KeyPath<Root, Value>, _ name: String, converting type: Stored.Type,
        with convert: @escaping @Sendable (Value) throws -> Stored
    ) {
        self.init(name, converting: type, with: convert)
    }

    /// Creates a property that a converter stores as `type` or as no value.
    @_disfavoredOverload
    public init<Stored: PropertyValue>(
        _ path: KeyPath<Root, Value>, _ name: String, converting type: Stored.Type,
        with convert: @escaping @Sendable (Value) throws -> Stored?
    ) {
        self.init(name, converting: type, with: convert)
    }
}

extension Property {
    /// Creates a property of a raw-representable type.
    @_disfavoredOverload
    public init(_ path: KeyPath<Root, Value>, _ name: String)
    where Value: RawRepresentable, Value.RawValue: PropertyValue & Equatable {
        self.init(named: name, RawConversion<Value>())
    }

    /// Creates a property of an optional raw-representable type.
    @_disfavoredOverload
    public init<E: RawRepresentable>(_ path: KeyPath<Root, Value>, _ name: String)
    where Value == E?, E.RawValue: PropertyValue & Equatable {
        self.init(named: name, OptionalConversion(RawConversion<E>()))
    }

    /// Creates a property of an array of a raw-representable type.
    @_disfavoredOverload
    public init<E: RawRepresentable>(_ path: KeyPath<Root, Value>, _ name: String)
    where Value == [E], E.RawValue: PropertyValue & Equatable {
        self.init(named: name, RawArrayConversion<E>())
    }

    /// Creates a property of an optional array of a raw-representable type.
    @_disfavoredOverload
    public init<E: RawRepresentable>(_ path: KeyPath<Root, Value>, _ name: String)
    where Value == [E]?, E.RawValue: PropertyValue & Equatable {
        self.init(named: name, OptionalConversion(RawArrayConversion<E>()))
    }

    /// Creates a property of a set of a raw-representable type.
    @_disfavoredOverload
    public init<E: RawRepresentable & Hashable>(_ path: KeyPath<Root, Value>, _ name: String)
    where Value == Set<E>, E.RawValue: PropertyValue & Hashable {
        self.init(named: name, RawSetConversion<E>())
    }

    /// Creates a property of an optional set of a raw-representable type.
    @_disfavoredOverload
    public init<E: RawRepresentable & Hashable>(_ path: KeyPath<Root, Value>, _ name: String)
    where Value == Set<E>?, E.RawValue: PropertyValue & Hashable {
        self.init(named: name, OptionalConversion(RawSetConversion<E>()))
    }

    /// Creates a property of a dictionary with values of a raw-representable type.
    @_disfavoredOverload
    public init<E: RawRepresentable>(_ path: KeyPath<Root, Value>, _ name: String)
    where Value == [String: E], E.RawValue: PropertyValue & Equatable {
        self.init(named: name, RawDictionaryConversion<E>())
    }

    /// Creates a property of an optional dictionary with values of a raw-representable type.
    @_disfavoredOverload
    public init<E: RawRepresentable>(_ path: KeyPath<Root, Value>, _ name: String)
    where Value == [String: E]?, E.RawValue: PropertyValue & Equatable {
        self.init(named: name, OptionalConversion(RawDictionaryConversion<E>()))
    }
}
