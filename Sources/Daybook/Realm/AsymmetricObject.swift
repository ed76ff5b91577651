/// The base class of events that are declared as Realm declares them: written, and never read back,
/// changed or removed.
///
/// ```swift
/// class WeatherSensor: AsymmetricObject {
///     @Persisted(primaryKey: true) var _id: ObjectId
///     @Persisted var celsius: Double
/// }
/// ```
///
/// The conformance to ``Event`` is written by the build plugin or by `@Event`, as that of an
/// ``Object`` is.
///
/// It belongs to no actor, and neither do its subclasses, not even in a module that isolates to the
/// main actor by default.
nonisolated open class AsymmetricObject: SendableMetatype {
    /// Makes an event whose properties have their defaults.
    public required init() {}

    /// Names in the store of properties that have another name in Swift. Override it where there
    /// are such.
    open class func propertiesMapping() -> [String: String] { [:] }
}
