#if Macros
/// Makes a class or `struct` an ``Entity``. Its stored `var`s become stored properties, in their
/// order, and the one of type ``Id`` or ``EntityId`` becomes its id.
///
/// ```swift
/// @Entity final class Note {
///     var id: Id = 0
///     @Index var title = ""
///     @Name("body") var text = ""
///     @Transient var isSelected = false
/// }
/// ```
///
/// Queries use the properties as members of the type: `Note.title.startsWith("A")`. If the type
/// itself has a static member with that name, use `Note.QueryProperties().title`.
///
/// Use `@Embedded` for a subclass of Realm's `EmbeddedObject`, and `@Event` for a subclass of
/// `AsymmetricObject`.
@attached(
    extension, conformances: Entity,
    names: named(entityDescription), named(encode), named(entityId), named(EntityIdType),
    named(init(row:)),
    named(init(copying:entityId:)), named(QueryProperties))
@attached(
    member, conformances: Entity,
    names: named(init(row:)), named(init()), named(decode), named(entityDescription),
    named(encode), named(storedValue), named(QueryProperties))
public macro Entity() = #externalMacro(module: "DaybookMacros", type: "EntityMacro")

/// Makes a class or `struct` an ``Entity`` with another name in the store, so that the type can be
/// renamed.
@attached(
    extension, conformances: Entity,
    names: named(entityDescription), named(encode), named(entityId), named(EntityIdType),
    named(init(row:)),
    named(init(copying:entityId:)), named(QueryProperties))
@attached(
    member, conformances: Entity,
    names: named(init(row:)), named(init()), named(decode), named(entityDescription),
    named(encode), named(storedValue), named(QueryProperties))
public macro Entity(name: String) = #externalMacro(module: "DaybookMacros", type: "EntityMacro")

/// Makes a class or `struct` an ``Entity`` whose objects expire: the store removes an object at the
/// date of a property, or a time after it. An object whose date is nil is kept.
///
/// ```swift
/// @Entity(expires: "validUntil") struct Session {
///     var id: Id = 0
///     @Index var validUntil: Date
/// }
/// @Entity(expires: "created", after: .seconds(7 * 86_400)) struct Draft {
///     var id: Id = 0
///     @Index var created = Date()
/// }
/// ```
///
/// See ``Store/removeExpired(at:)`` for when objects are removed.
///
/// - Parameters:
///   - name: the name in the store, if it differs from that of the type.
///   - property: the name of a stored property of the type `Date` or `Date?`, in quotation marks.
///   - duration: the time after the date, which must not be negative.
@attached(
    extension, conformances: Entity,
    names: named(entityDescription), named(encode), named(entityId), named(EntityIdType),
    named(init(row:)),
    named(init(copying:entityId:)), named(QueryProperties))
@attached(
    member, conformances: Entity,
    names: named(init(row:)), named(init()), named(decode), named(entityDescription),
    named(encode), named(storedValue), named(QueryProperties))
public macro Entity(
    name: String? = nil, expires property: String, after duration: Duration = .zero
) = #externalMacro(module: "DaybookMacros", type: "EntityMacro")

/// Makes a class or `struct` a value inside the rows of objects: see ``Embedded``.
///
/// ```swift
/// @Embedded struct Address {
///     var street: String
///     var city: String
/// }
/// ```
@attached(
    extension, conformances: Embedded,
    names: named(entityDescription), named(encode), named(init(row:)), named(QueryProperties))
@attached(
    member, conformances: Embedded,
    names: named(init(row:)), named(init()), named(decode), named(entityDescription),
    named(encode), named(storedValue), named(QueryProperties))
public macro Embedded() = #externalMacro(module: "DaybookMacros", type: "EntityMacro")

/// Makes a class or `struct` an ``Event``. Events are appended to the store and never changed.
@attached(
    extension, conformances: Event,
    names: named(entityDescription), named(encode), named(init(row:)))
@attached(
    member, conformances: Event,
    names: named(init(row:)), named(init()), named(decode), named(entityDescription),
    named(encode), named(storedValue))
public macro Event() = #externalMacro(module: "DaybookMacros", type: "EntityMacro")
#endif
