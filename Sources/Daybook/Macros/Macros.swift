#if Macros
/// Makes a class or `struct` an ``Entity``: its stored `var`s become properties of the store, in
/// their order, and the one of type ``Id`` or ``EntityId`` its id.
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
/// Queries name the properties as members of the type: `Note.title.startsWith("A")`. Where the type
/// has a static member of that name itself, `Note.QueryProperties().title` stands for the property.
///
/// A subclass of Realm's `EmbeddedObject` is marked `@Embedded` instead, one of `AsymmetricObject`
/// `@Event`.
@attached(
    extension, conformances: Entity,
    names: named(entityDescription), named(encode), named(entityId), named(init(row:)),
    named(QueryProperties))
@attached(
    member, conformances: Entity,
    names: named(init(row:)), named(init()), named(decode), named(entityDescription),
    named(encode), named(storedValue), named(QueryProperties))
public macro Entity() = #externalMacro(module: "DaybookMacros", type: "EntityMacro")

/// Makes a class or `struct` an ``Entity`` that the store knows under another name, so that the
/// type can be renamed.
@attached(
    extension, conformances: Entity,
    names: named(entityDescription), named(encode), named(entityId), named(init(row:)),
    named(QueryProperties))
@attached(
    member, conformances: Entity,
    names: named(init(row:)), named(init()), named(decode), named(entityDescription),
    named(encode), named(storedValue), named(QueryProperties))
public macro Entity(name: String) = #externalMacro(module: "DaybookMacros", type: "EntityMacro")

/// Makes a class or `struct` a value inside the rows of others: see ``Embedded``.
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

/// Makes a class or `struct` an ``Event``, which is appended to the store and never changed.
@attached(
    extension, conformances: Event,
    names: named(entityDescription), named(encode), named(init(row:)))
@attached(
    member, conformances: Event,
    names: named(init(row:)), named(init()), named(decode), named(entityDescription),
    named(encode), named(storedValue))
public macro Event() = #externalMacro(module: "DaybookMacros", type: "EntityMacro")
#endif
