/// The base class of embedded values in Realm's declaration style.
///
/// ```swift
/// class Address: EmbeddedObject {
///     @Persisted var city = ""
/// }
/// ```
///
/// The build plugin or `@Embedded` generates the conformance to `Embedded`. A value is stored in
/// the row of the object that contains it, and is removed with that object. If two objects contain
/// the same instance, each is stored with a copy.
///
/// The class and its subclasses are not isolated to an actor, even in a module that isolates to the
/// main actor by default.
nonisolated open class EmbeddedObject: SendableMetatype {
    /// Creates a value with the default values of its properties.
    public required init() {}

    /// Maps Swift names of properties to their names in the store, for properties that have another
    /// name in the store.
    open class func propertiesMapping() -> [String: String] { [:] }

    /// The names of the properties that are not stored. The macro and the build plugin read them in
    /// the source, so an override returns an array of string literals.
    open class func ignoredProperties() -> [String] { [] }
}
