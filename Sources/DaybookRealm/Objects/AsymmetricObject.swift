/// The base class of events that are declared as Realm declares them. An event is appended, and
/// never changed or removed.
///
/// ```swift
/// class WeatherSensor: AsymmetricObject {
///     @Persisted(primaryKey: true) var _id: ObjectId
///     @Persisted var celsius: Double
/// }
/// ```
///
/// The build plugin or `@Event` writes the conformance to `Event`.
///
/// The class and its subclasses are not isolated to an actor, even in a module that isolates to the
/// main actor by default.
nonisolated open class AsymmetricObject: SendableMetatype {
    /// Makes an event whose properties have their defaults.
    public required init() {}

    /// The names in the store of the properties that have another name in Swift.
    open class func propertiesMapping() -> [String: String] { [:] }
}
