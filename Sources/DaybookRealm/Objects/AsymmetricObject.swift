/// The base class of events in Realm's declaration style. An event is appended, and never changed.
/// It is kept forever, unless a compaction names its type.
///
/// ```swift
/// class WeatherSensor: AsymmetricObject {
///     @Persisted(primaryKey: true) var _id: ObjectId
///     @Persisted var celsius: Double
/// }
/// ```
///
/// The build plugin or `@Event` generates the conformance to `Event`.
///
/// The class and its subclasses are not isolated to an actor, even in a module that isolates to the
/// main actor by default.
nonisolated open class AsymmetricObject: SendableMetatype {
    /// Creates an event with the default values of its properties.
    public required init() {}

    /// Maps Swift names of properties to their names in the store, for properties that have another
    /// name in the store.
    open class func propertiesMapping() -> [String: String] { [:] }
}
