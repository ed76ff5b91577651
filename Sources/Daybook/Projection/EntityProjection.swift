/// An excerpt of an entity's objects: it names some of their properties, and only these are read.
///
/// The `@Projection` macro writes the conformance. Written by hand it takes one line per property
/// to read it, and one to write it back:
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
/// ``Box/projections(_:)`` reads and changes them.
public protocol EntityProjection: SendableMetatype {
    /// The entity.
    associatedtype Root: Entity

    /// Makes a projection of a stored object.
    static func decode(_ row: borrowing ProjectionReader<Root>) throws -> Self

    /// Takes what was changed over into the object. Throws `.invalidArgument` where a property was
    /// changed that cannot be written back; the object is then as it was.
    func apply(to root: inout Root) throws
}
