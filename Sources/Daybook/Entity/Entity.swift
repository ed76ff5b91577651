/// A type whose objects a ``Store`` stores.
///
/// The `@Entity` macro generates the conformance of a `final class` or `struct`. A manual
/// conformance needs a description, and one line each to read and to write a property, in the order
/// of the description:
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
public protocol Entity: Storable {
    /// The type of the declared id: ``Id``, `Int64`, or ``EntityId`` of the entity. Puts of
    /// `DaybookObjectBox` return it.
    associatedtype EntityIdType: ObjectIdentity = Id

    /// The object's id; 0 before it is stored. `put` sets it.
    ///
    /// A type with a primary key may omit the id: its objects are found by their keys.
    var entityId: Id { get set }
}
