public import Daybook

/// The base class of objects in Realm's declaration style.
///
/// ```swift
/// class Person: Object {
///     @Persisted(primaryKey: true) var _id: ObjectId
///     @Persisted var firstName = ""
///     @Persisted var address: Address?
/// }
/// ```
///
/// The build plugin or `@Entity` generates the conformance to `Entity`. A handwritten conformance
/// is an extension of the subclass, whose `decode` begins with `let object = Self()`. Objects are
/// plain copies, like those of every other entity: the thread that owns an object can change it
/// freely, and `put` of a box stores it.
///
/// The class and its subclasses are not isolated to an actor, even in a module that isolates to the
/// main actor by default.
nonisolated open class Object: SendableMetatype {
    /// The id under which the object is stored; 0 before the first put. A primary key is a separate
    /// property.
    public final var entityId: Id = 0

    /// Creates an object that is not stored yet, with the default values of its properties.
    public required init() {}

    /// Maps Swift names of properties to their names in the store, for properties that have another
    /// name in the store.
    open class func propertiesMapping() -> [String: String] { [:] }

    /// The name of the primary key; nil without one. As `@Persisted(primaryKey: true)`.
    ///
    /// The macro and the build plugin read the name in the source, so an override returns a string
    /// literal.
    open class func primaryKey() -> String? { nil }

    /// The names of the properties with an index. As `@Persisted(indexed: true)`. An override
    /// returns an array of string literals.
    open class func indexedProperties() -> [String] { [] }

    /// The names of the properties that are not stored. An override returns an array of string
    /// literals.
    open class func ignoredProperties() -> [String] { [] }
}

extension Object: Hashable {
    /// Whether two references are to the same instance. Two instances of one stored object are not
    /// equal: see ``isSameObject(as:)``.
    public static func == (one: Object, other: Object) -> Bool { one === other }

    /// Hashes the identity of the instance, which a put does not change.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Object {
    /// Whether two instances are one object: the same instance, or instances of one class with the
    /// same id. Two stores may have different objects with the same id.
    public final func isSameObject(as other: Object?) -> Bool {
        guard let other, self !== other else { return other != nil }
        return entityId != 0 && entityId == other.entityId && type(of: self) == type(of: other)
    }
}
