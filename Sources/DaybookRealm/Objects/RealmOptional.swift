public import Daybook

/// An optional number or Boolean value of an older declaration of Realm. In new declarations, write
/// `@Persisted var age: Int?`.
///
/// ```swift
/// class Dog: Object {
///     let age = RealmOptional<Int>()
/// }
/// dog.age.value = 3
/// ```
public final class RealmOptional<Value: PropertyValue> {
    /// The value.
    public var value: Value?

    /// Creates a property with a value, which is nil if it is omitted.
    public init(_ value: Value? = nil) { self.value = value }

    /// Replaces the value by that of another property. For generated code.
    public func replaceContent(with other: RealmOptional) { value = other.value }
}

/// A value of an older declaration of Realm: `let age = RealmProperty<Int?>()`. In new
/// declarations, write `@Persisted var age: Int?`.
public final class RealmProperty<Value: PropertyValue & PersistedDefault> {
    /// The value.
    public var value: Value

    /// Creates a property with the default value of its type: see ``PersistedDefault``.
    public init() { value = Value.makePersistedDefault() }

    fileprivate init(_ value: Value) { self.value = value }

    /// Replaces the value by that of another property. For generated code.
    public func replaceContent(with other: RealmProperty) { value = other.value }
}

extension RowReader {
    /// Reads an optional value.
    public func read<Value: PropertyValue>(_ index: Int) throws -> RealmOptional<Value> {
        RealmOptional(try read(index, as: Value?.self))
    }

    /// Reads a value.
    public func read<Value: PropertyValue>(_ index: Int) throws -> RealmProperty<Value> {
        RealmProperty(try read(index, as: Value.self))
    }
}

extension RowWriter {
    /// Writes an optional value.
    public mutating func write<Value: PropertyValue>(
        _ property: RealmOptional<Value>, at index: Int
    ) throws {
        try write(property.value, at: index)
    }

    /// Writes a value.
    public mutating func write<Value: PropertyValue>(
        _ property: RealmProperty<Value>, at index: Int
    ) throws {
        try write(property.value, at: index)
    }
}

extension Property {
    /// Creates the property with a Swift name. The path provides the type, and is not kept.
    public init<Wrapped: PropertyValue>(
        _ path: KeyPath<Root, RealmOptional<Wrapped>>, _ name: String
    ) where Value == Wrapped? {
        self.init(name)
    }

    /// Creates the property with a Swift name. The path provides the type, and is not kept.
    public init(_ path: KeyPath<Root, RealmProperty<Value>>, _ name: String)
    where Value: PropertyValue {
        self.init(name)
    }
}

extension PropertyDescription {
    /// Describes an optional value.
    public static func property<Value: PropertyValue>(
        _ name: String, _ type: RealmOptional<Value>.Type, _ attributes: PropertyAttribute...
    ) -> PropertyDescription {
        PropertyDescription(name, of: Value?.self, attributes)
    }

    /// Describes a value.
    public static func property<Value: PropertyValue>(
        _ name: String, _ type: RealmProperty<Value>.Type, _ attributes: PropertyAttribute...
    ) -> PropertyDescription {
        PropertyDescription(name, of: Value.self, attributes)
    }

    /// Describes an optional value whose type is inferred by the compiler.
    public static func property<Root, Value: PropertyValue>(
        _ name: String, _ path: KeyPath<Root, RealmOptional<Value>>,
        _ attributes: PropertyAttribute...
    ) -> PropertyDescription {
        PropertyDescription(name, of: Value?.self, attributes)
    }

    /// Describes a value whose type is inferred by the compiler.
    public static func property<Root, Value: PropertyValue>(
        _ name: String, _ path: KeyPath<Root, RealmProperty<Value>>,
        _ attributes: PropertyAttribute...
    ) -> PropertyDescription {
        PropertyDescription(name, of: Value.self, attributes)
    }
}
