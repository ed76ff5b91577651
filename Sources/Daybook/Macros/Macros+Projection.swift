#if Macros
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
