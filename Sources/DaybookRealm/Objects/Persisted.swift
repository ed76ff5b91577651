/// Marks a property that is stored, as Realm's declarations do. In a class that has such a
/// property, those without the mark are not stored.
///
/// The macro or the build plugin reads the arguments from the source. The wrapper itself holds only
/// the value.
@propertyWrapper
public struct Persisted<Value> {
    /// The value.
    public var wrappedValue: Value

    /// Begins with a value.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    /// Begins with the default of the type: see ``PersistedDefault``.
    public init() where Value: PersistedDefault { wrappedValue = Value.makePersistedDefault() }

    /// Is the primary key, and begins with the default of the type.
    public init(primaryKey: Bool) where Value: PersistedDefault { self.init() }

    /// Is the primary key, and begins with a value.
    public init(wrappedValue: Value, primaryKey: Bool) { self.init(wrappedValue: wrappedValue) }

    /// Has an index, and begins with the default of the type.
    public init(indexed: Bool) where Value: PersistedDefault { self.init() }

    /// Has an index, and begins with a value.
    public init(wrappedValue: Value, indexed: Bool) { self.init(wrappedValue: wrappedValue) }

    /// Makes the backlink of the property of that name.
    public init<Element>(originProperty: String) where Value == LinkingObjects<Element> {
        wrappedValue = LinkingObjects(originProperty: originProperty)
    }
}

extension Persisted: Sendable where Value: Sendable {}
