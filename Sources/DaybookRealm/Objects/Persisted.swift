/// Marks a stored property, as in Realm's declarations. In a class with such a property, properties
/// without the attribute are not stored.
///
/// The macro or the build plugin reads the arguments from the source. The wrapper contains the
/// value, or, for a property of an optional object, the link to the object: see ``link``.
@propertyWrapper
public struct Persisted<Value> {
    /// The value of a property without a link. With a link, it is nil.
    @usableFromInline var value: Value
    /// The link to an object.
    @usableFromInline var persistedLink: PersistedLink<Value>?

    /// The value. A link reads its object at the first access.
    @inlinable public var wrappedValue: Value {
        get {
            guard let persistedLink else { return value }
            return persistedLink.value
        }
        _modify {
            if let persistedLink {
                yield &persistedLink.value
            } else {
                yield &value
            }
        }
    }

    /// The wrapper itself, through which generated code reads and writes a property that may be a
    /// link. ``link`` is the link of a property of an object.
    public var projectedValue: Persisted {
        get { self }
        set { self = newValue }
    }

    /// Creates a property with an initial value.
    // Disfavored, because the compiler otherwise prefers it to the initializers of links.
    @_disfavoredOverload
    public init(wrappedValue: Value) { value = wrappedValue }

    /// Creates a property with the default value of its type: see ``PersistedDefault``.
    @_disfavoredOverload
    public init() where Value: PersistedDefault { value = Value.makePersistedDefault() }

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
        self.init(wrappedValue: LinkingObjects(originProperty: originProperty))
    }

    /// Creates a link without an object.
    public init<Target: Object>() where Value == Target? { self.init(wrappedValue: nil) }

    /// Creates a link to an object.
    public init<Target: Object>(wrappedValue: Value) where Value == Target? {
        value = nil
        persistedLink = PersistedLink(wrappedValue, isSet: wrappedValue != nil, empty: nil)
    }
}
