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

/// Makes a `struct` an ``EntityProjection``: an excerpt of an entity, of which only the properties
/// named are read.
///
/// ```swift
/// @Projection(of: Person.self) struct PersonSummary {
///     var id: Id                                        // the object's
///     var firstName: String                             // the property of the same name
///     @Projected(\Person.address?.city) var homeCity: String?
/// }
/// ```
@attached(
    extension, conformances: EntityProjection, names: named(init(row:)), named(decode),
    named(apply))
public macro Projection<Root>(of root: Root.Type) =
    #externalMacro(module: "DaybookMacros", type: "ProjectionMacro")

/// Makes a subclass of ``Projection`` an ``EntityProjection``: its properties with ``Projected``
/// are read, and no others of the object.
///
/// ```swift
/// @Projection class PersonProjection: Projection<Person> {
///     @Projected(\Person.firstName) var firstName
/// }
/// ```
@attached(extension, conformances: EntityProjection, names: named(decode), named(apply))
public macro Projection() = #externalMacro(module: "DaybookMacros", type: "ProjectionMacro")
#endif
