/// The base class of values inside objects that are declared as Realm declares them.
///
/// ```swift
/// class Address: EmbeddedObject {
///     @Persisted var city = ""
/// }
/// ```
///
/// The conformance to ``Embedded`` is written by the build plugin or by `@Embedded`, as that of an
/// ``Object`` is. A value is kept inside the row of the object that holds it, and goes with it. Two
/// objects that hold the same instance are stored with a copy each.
///
/// It belongs to no actor, and neither do its subclasses, not even in a module that isolates to the
/// main actor by default.
nonisolated open class EmbeddedObject: SendableMetatype {
    /// Makes a value whose properties have their defaults.
    public required init() {}

    /// Names in the store of properties that have another name in Swift. Override it where there
    /// are such.
    open class func propertiesMapping() -> [String: String] { [:] }
}
