/// A type whose objects a ``Store`` keeps.
///
/// The `@Entity` macro writes the conformance of a `final class` or `struct`. Written by hand it
/// takes a description, and one line per property to read and to write it, in the description's
/// order:
///
/// ```swift
/// struct Note: Entity {
///     var id: Id = 0
///     var text: String
///     var stars: Int?
///
///     static let entityDescription = EntityDescription(
///         "Note", [.property("text", String.self), .property("stars", Int?.self)])
///     static func decode(_ row: borrowing RowReader) throws -> Note {
///         Note(id: row.id, text: try row.read(0), stars: try row.read(1))
///     }
///     func encode(into row: inout RowWriter) throws {
///         try row.write(text, at: 0)
///         try row.write(stars, at: 1)
///     }
///     var entityId: Id { get { id } set { id = newValue } }
/// }
/// ```
public protocol Entity: SendableMetatype {
    /// The entity's name and properties. Asked once for each store.
    static var entityDescription: EntityDescription { get }

    /// Makes an object of a stored row.
    static func decode(_ row: borrowing RowReader) throws -> Self

    /// Writes the properties to a row, text and bytes in the order of the description.
    func encode(into row: inout RowWriter) throws

    /// The object's id; 0 before it is stored. `put` sets it.
    var entityId: Id { get set }
}
