#if Macros
/// Makes a `final class` or `struct` an ``Entity``: its stored `var`s become properties of the
/// store, in their order, and the one of type ``Id`` or ``EntityId`` its id.
///
/// ```swift
/// @Entity final class Note {
///     var id: Id = 0
///     var text = ""
///     @Transient var isSelected = false
/// }
/// ```
@attached(
    extension, conformances: Entity,
    names: named(entityDescription), named(encode), named(entityId), named(init(row:)))
@attached(member, names: named(init(row:)), named(init()), named(decode))
public macro Entity() = #externalMacro(module: "DaybookMacros", type: "EntityMacro")

/// Keeps a property out of the store. It needs a default value, which decoded objects have.
@attached(peer)
public macro Transient() = #externalMacro(module: "DaybookMacros", type: "TransientMacro")
#endif
