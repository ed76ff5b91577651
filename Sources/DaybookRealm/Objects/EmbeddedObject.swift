/// The base class of values inside objects that are declared as Realm declares them.
///
/// ```swift
/// class Address: EmbeddedObject {
///     @Persisted var city = ""
/// }
/// ```
///
/// The build plugin or `@Embedded` writes the conformance to `Embedded`. A value is stored in the
/// row of the object that holds it, and is removed with it. Two objects that hold the same instance
/// are stored with a copy each.
///
/// The class and its subclasses are not isolated to an actor, even in a module that isolates to the
/// main actor by default.
nonisolated open class EmbeddedObject: SendableMetatype {
    /// Makes a value whose properties have their defaults.
    public required init() {}

    /// The names in the store of the properties that have another name in Swift.
    open class func propertiesMapping() -> [String: String] { [:] }
}
