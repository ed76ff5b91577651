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
/// The conformance to ``Entity`` is written by the build plugin or by `@Entity`; by hand it is an
/// extension of the subclass, whose `decode` begins with `let object = Self()`. Objects are plain
/// copies, as those of every other entity: they are changed freely, on any thread that owns them,
/// and stored by ``Box/put(_:mode:)``.
///
/// It belongs to no actor, and neither do its subclasses, not even in a module that isolates to the
/// main actor by default.
nonisolated open class Object: SendableMetatype {
    /// The number under which the object is stored; 0 before. A primary key stands beside it.
    public final var entityId: Id = 0

    /// Makes an object that is not stored yet; its properties have their defaults.
    public required init() {}

    /// Names in the store of properties that have another name in Swift. Override it where there
    /// are such.
    open class func propertiesMapping() -> [String: String] { [:] }
}
