/// Marks a stored property, as in Realm's declarations. In a class with such a property, properties
/// without the attribute are not stored.
///
/// The macro or the build plugin reads the arguments from the source. The wrapper itself contains
/// only the value.
@propertyWrapper
public struct Persisted<Value> {
    /// The value.
    public var wrappedValue: Value

    /// Creates a property with an initial value.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    /// Creates a property with the default value of its type: see ``PersistedDefault``.
    public init() where Value: PersistedDefault { wrappedValue = Value.makePersistedDefault() }

    /// Creates a primary key with the default value of its type.
    public init(primaryKey: Bool) where Value: PersistedDefault { self.init() }

    /// Creates a primary key with an initial value.
    public init(wrappedValue: Value, primaryKey: Bool) { self.init(wrappedValue: wrappedValue) }

    /// Creates an indexed property with the default value of its type.
    public init(indexed: Bool) where Value: PersistedDefault { self.init() }

    /// Creates an indexed property with an initial value.
    public init(wrappedValue: Value, indexed: Bool) { self.init(wrappedValue: wrappedValue) }

    /// Creates the backlink of the property with that name.
    public init<Element>(originProperty: String) where Value == LinkingObjects<Element> {
        wrappedValue = LinkingObjects(originProperty: originProperty)
    }
}

extension Persisted: Sendable where Value: Sendable {}
