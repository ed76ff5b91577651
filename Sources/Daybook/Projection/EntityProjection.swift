/// A subset of the properties of an entity's objects, or of an embedded value. Only these are read.
///
/// The `@Projection` macro generates the conformance. A manual conformance needs one line per
/// property to read it, and one line to write it back:
///
/// ```swift
/// struct PersonSummary: EntityProjection {
///     var firstName: String
///     var homeCity: String?
///
///     static func decode(_ row: borrowing ProjectionReader<Person>) throws -> PersonSummary {
///         PersonSummary(
///             firstName: try row.read(\.firstName, named: "firstName"),
///             homeCity: try row.read(\.address, named: "address")?.city)
///     }
///     func apply(to root: inout Person) throws {
///         var changes = ProjectedChanges(of: root)
///         try changes.note(firstName, at: \.firstName, named: "firstName")
///         try changes.note(homeCity, at: \.address?.city, named: "homeCity")
///         changes.make(in: &root)
///     }
/// }
/// ```
///
/// ``Box/projections(_:)`` reads and updates projections of objects, and ``Query/updates(as:)``
/// follows them. A projection of an embedded value is made from the value, and applied to it.
public protocol EntityProjection: SendableMetatype {
    /// The projected entity or embedded type.
    associatedtype Root: Storable

    /// The Swift names of the properties of `Root` that the projection reads, without the id. Nil
    /// if they are unknown.
    ///
    /// ``Query/updates(as:)`` reports changes of these properties only, or changes of any property
    /// if it is nil. A manual conformance that does not declare it has nil.
    static var projectedProperties: [String]? { get }

    /// Creates a projection from a stored object.
    static func decode(_ row: borrowing ProjectionReader<Root>) throws -> Self

    /// Applies the changes of the projection to the object. Throws `.invalidArgument` if a property
    /// was changed that cannot be written back; the object is unchanged then.
    func apply(to root: inout Root) throws
}

extension EntityProjection {
    /// Nil: the properties are unknown.
    public static var projectedProperties: [String]? { nil }
}
