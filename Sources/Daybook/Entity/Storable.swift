/// A type whose values are written as rows: what ``Entity``, ``Embedded`` and ``Event`` have in
/// common.
///
/// The macros of these names write the conformance. Written by hand it takes a description, and one
/// line per property to read and to write it, in the description's order; see ``Entity``.
///
/// What stands for the properties in conditions are static members of the type: its own, or those
/// of ``QueryProperties``, which the macros write.
@dynamicMemberLookup
public protocol Storable: SendableMetatype {
    /// What stands for the properties in conditions: ``NoQueryProperties`` unless it is written.
    associatedtype QueryProperties: QueryableProperties = NoQueryProperties

    /// The type's name and properties. Asked once for each store.
    static var entityDescription: EntityDescription { get }

    /// Makes a value of a stored row.
    static func decode(_ row: borrowing RowReader) throws -> Self

    /// Writes the properties to a row, those of variable width in the order of the description.
    func encode(into row: inout RowWriter) throws
}

/// A value inside an object: it has properties of its own, and no id.
///
/// ```swift
/// @Embedded struct Address {
///     var city = ""
///     var country: String?
/// }
/// ```
///
/// It is kept as a row inside the object's row, under a layout of its own, so its type may change
/// as an entity's may. It can be optional, stand in another embedded value, and in arrays, sets and
/// dictionaries. Where an object was written before the property was declared, each of its own
/// properties is missing.
public protocol Embedded: Storable, PropertyValue {}

/// Something that happened: it is appended to the log and never changed, removed or queried.
///
/// ```swift
/// @Event struct Reading {
///     var device: String
///     var celsius: Double
/// }
///
/// try store.append(Reading(device: "roof", celsius: 21.5))
/// ```
///
/// It costs its record in the log and nothing in any index. `daybook replay` prints it. It may hold
/// embedded values; that no object can relate to it is a matter of types.
public protocol Event: Storable {}
