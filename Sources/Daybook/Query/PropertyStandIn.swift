#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
import DaybookQuery

/// Stands in until the real one is merged.
public struct Property<Root, Value>: Sendable {
    let name: String
    init(named name: String) { self.name = name }
    /// A property.
    public init(_ name: String) where Value: PropertyValue { self.init(named: name) }
    /// A backlink.
    public init<Element: Object>(_ name: String) where Value == LinkingObjects<Element> {
        self.init(named: name)
    }
    /// A list of objects.
    public init<Element: Object & Entity>(_ name: String) where Value == List<Element> {
        self.init(named: name)
    }
    /// The id.
    public init(identity name: String) where Value: ObjectIdentity { self.init(named: name) }
    /// A date.
    public init(nanoseconds name: String) where Value == Date { self.init(named: name) }
    /// A date.
    public init(nanoseconds name: String) where Value == Date? { self.init(named: name) }
    /// JSON.
    public init(encoded name: String) where Value: Codable { self.init(named: name) }
    /// JSON.
    public init<Wrapped: Codable>(encoded name: String) where Value == Wrapped? {
        self.init(named: name)
    }
    /// Nothing.
    public init(unstored name: String) { self.init(named: name) }
    /// A converted one.
    public init<Stored: PropertyValue>(
        _ name: String, converting type: Stored.Type,
        with convert: @escaping @Sendable (Value) throws -> Stored
    ) {
        self.init(named: name)
    }
    /// A converted one.
    @_disfavoredOverload
    public init<Stored: PropertyValue>(
        _ name: String, converting type: Stored.Type,
        with convert: @escaping @Sendable (Value) throws -> Stored?
    ) {
        self.init(named: name)
    }
    /// A path.
    public init(_ path: KeyPath<Root, Value>, _ name: String) where Value: PropertyValue {
        self.init(name)
    }
    /// A path.
    public init<Element: Object>(_ path: KeyPath<Root, Value>, _ name: String)
    where Value == LinkingObjects<Element> {
        self.init(name)
    }
    /// A path.
    public init<Element: Object & Entity>(_ path: KeyPath<Root, Value>, _ name: String)
    where Value == List<Element> {
        self.init(name)
    }
    /// A path.
    public init(_ path: KeyPath<Root, Value>, identity name: String)
    where Value: ObjectIdentity {
        self.init(identity: name)
    }
    /// A path.
    public init(_ path: KeyPath<Root, Value>, nanoseconds name: String) where Value == Date {
        self.init(nanoseconds: name)
    }
    /// A path.
    public init(_ path: KeyPath<Root, Value>, nanoseconds name: String) where Value == Date? {
        self.init(nanoseconds: name)
    }
    /// A path.
    public init(_ path: KeyPath<Root, Value>, encoded name: String) where Value: Codable {
        self.init(encoded: name)
    }
    /// A path.
    public init<Wrapped: Codable>(_ path: KeyPath<Root, Value>, encoded name: String)
    where Value == Wrapped? {
        self.init(encoded: name)
    }
    /// A path.
    public init(_ path: KeyPath<Root, Value>, unstored name: String) { self.init(named: name) }
    /// A path.
    public init<Stored: PropertyValue>(
        _ path: KeyPath<Root, Value>, _ name: String, converting type: Stored.Type,
        with convert: @escaping @Sendable (Value) throws -> Stored
    ) {
        self.init(name, converting: type, with: convert)
    }
}
extension Property {
    /// Raw.
    @_disfavoredOverload
    public init(_ name: String)
    where Value: RawRepresentable, Value.RawValue: PropertyValue & Equatable {
        self.init(named: name)
    }
    /// Raw.
    @_disfavoredOverload
    public init(_ path: KeyPath<Root, Value>, _ name: String)
    where Value: RawRepresentable, Value.RawValue: PropertyValue & Equatable {
        self.init(named: name)
    }
    /// Raw.
    @_disfavoredOverload
    public init<E: RawRepresentable>(_ name: String)
    where Value == E?, E.RawValue: PropertyValue & Equatable {
        self.init(named: name)
    }
    /// Raw.
    @_disfavoredOverload
    public init<E: RawRepresentable>(_ path: KeyPath<Root, Value>, _ name: String)
    where Value == E?, E.RawValue: PropertyValue & Equatable {
        self.init(named: name)
    }
    /// Raw.
    @_disfavoredOverload
    public init<E: RawRepresentable>(_ name: String)
    where Value == [E], E.RawValue: PropertyValue & Equatable {
        self.init(named: name)
    }
    /// Raw.
    @_disfavoredOverload
    public init<E: RawRepresentable>(_ path: KeyPath<Root, Value>, _ name: String)
    where Value == [E], E.RawValue: PropertyValue & Equatable {
        self.init(named: name)
    }
    /// Raw.
    @_disfavoredOverload
    public init<E: RawRepresentable>(_ name: String)
    where Value == [E]?, E.RawValue: PropertyValue & Equatable {
        self.init(named: name)
    }
    /// Raw.
    @_disfavoredOverload
    public init<E: RawRepresentable>(_ path: KeyPath<Root, Value>, _ name: String)
    where Value == [E]?, E.RawValue: PropertyValue & Equatable {
        self.init(named: name)
    }
    /// Raw.
    @_disfavoredOverload
    public init<E: RawRepresentable & Hashable>(_ name: String)
    where Value == Set<E>, E.RawValue: PropertyValue & Hashable {
        self.init(named: name)
    }
    /// Raw.
    @_disfavoredOverload
    public init<E: RawRepresentable & Hashable>(_ path: KeyPath<Root, Value>, _ name: String)
    where Value == Set<E>, E.RawValue: PropertyValue & Hashable {
        self.init(named: name)
    }
    /// Raw.
    @_disfavoredOverload
    public init<E: RawRepresentable & Hashable>(_ name: String)
    where Value == Set<E>?, E.RawValue: PropertyValue & Hashable {
        self.init(named: name)
    }
    /// Raw.
    @_disfavoredOverload
    public init<E: RawRepresentable & Hashable>(_ path: KeyPath<Root, Value>, _ name: String)
    where Value == Set<E>?, E.RawValue: PropertyValue & Hashable {
        self.init(named: name)
    }
    /// Raw.
    @_disfavoredOverload
    public init<E: RawRepresentable>(_ name: String)
    where Value == [String: E], E.RawValue: PropertyValue & Equatable {
        self.init(named: name)
    }
    /// Raw.
    @_disfavoredOverload
    public init<E: RawRepresentable>(_ path: KeyPath<Root, Value>, _ name: String)
    where Value == [String: E], E.RawValue: PropertyValue & Equatable {
        self.init(named: name)
    }
    /// Raw.
    @_disfavoredOverload
    public init<E: RawRepresentable>(_ name: String)
    where Value == [String: E]?, E.RawValue: PropertyValue & Equatable {
        self.init(named: name)
    }
    /// Raw.
    @_disfavoredOverload
    public init<E: RawRepresentable>(_ path: KeyPath<Root, Value>, _ name: String)
    where Value == [String: E]?, E.RawValue: PropertyValue & Equatable {
        self.init(named: name)
    }
}
