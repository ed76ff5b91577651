/// A type whose values are stored as rows. The common base of ``Entity``, ``Embedded`` and
/// ``Event``.
///
/// The macros with these names generate the conformance. A manual conformance needs a description,
/// and one line each to read and to write a property, in the order of the description; see
/// ``Entity``.
///
/// In conditions, static members of the type represent its properties: its own members, or those of
/// ``QueryProperties``, which the macros generate.
@dynamicMemberLookup
public protocol Storable: SendableMetatype {
    /// The properties for use in conditions; by default ``NoQueryProperties``.
    associatedtype QueryProperties: QueryableProperties = NoQueryProperties

    /// The type's name, properties and attributes. Read once per store.
    static var entityDescription: EntityDescription { get }

    /// Creates a value from a stored row.
    static func decode(_ row: borrowing RowReader) throws -> Self

    /// Writes the properties to a row. Properties of variable width must be in the order of the
    /// description.
    func encode(into row: inout RowWriter) throws
}

/// A value inside an object. It has properties, but no id.
///
/// ```swift
/// @Embedded struct Address {
///     var city = ""
///     var country: String?
/// }
/// ```
///
/// It is stored as a row inside the object's row, with a layout of its own. So its type may change
/// in the same ways as an entity. It can be optional, part of another embedded value, and an
/// element of arrays, sets and dictionaries. In an object that was written before the property was
/// declared, all properties of the embedded value are missing.
public protocol Embedded: Storable, PropertyValue {}

/// A record of something that happened. It is appended to the log, and never changed or queried. It
/// is kept forever, unless a compaction names its type: see ``StoreOptions/entityRetention`` and
/// ``Store/compact(keeping:except:ignoringConsumers:progress:isCancelled:)``.
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
/// It costs one record in the log, and nothing in any index. `daybook replay` prints it. It may
/// contain embedded values, and relations to objects, whose ids it keeps. The type system prevents
/// relations to events.
public protocol Event: Storable {}
