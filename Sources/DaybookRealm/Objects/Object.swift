public import Daybook

/// The base class of objects that are declared as Realm declares them.
///
/// ```swift
/// class Person: Object {
///     @Persisted(primaryKey: true) var _id: ObjectId
///     @Persisted var firstName = ""
///     @Persisted var address: Address?
/// }
/// ```
///
/// The build plugin or `@Entity` writes the conformance to `Entity`. Written by hand, it is an
/// extension of the subclass, whose `decode` begins with `let object = Self()`. Objects are plain
/// copies, as those of every other entity: the thread that owns an object changes it freely, and
/// `put` of a box stores it.
///
/// The class and its subclasses are not isolated to an actor, even in a module that isolates to the
/// main actor by default.
nonisolated open class Object: SendableMetatype {
    /// The id under which the object is stored; 0 before the first put. A primary key is a separate
    /// property.
    public final var entityId: Id = 0

    /// Makes an object that is not stored yet; its properties have their defaults.
    public required init() {}

    /// The names in the store of the properties that have another name in Swift.
    open class func propertiesMapping() -> [String: String] { [:] }
}
