#if Macros
/// Makes a `struct` an ``EntityProjection``, which reads only its own properties of an entity.
///
/// ```swift
/// @Projection(of: Person.self) struct PersonSummary {
///     var id: Id                                        // the object's
///     var firstName: String                             // the property of the same name
///     @Projected(\Person.address?.city) var homeCity: String?
/// }
/// ```
///
/// `init(projecting:)` makes a projection from an object in memory. The entity may also be an
/// embedded type, whose projections are only made so.
@attached(
    extension, conformances: EntityProjection, names: named(init(row:)),
    named(init(projecting:)), named(projectedProperties), named(decode), named(apply))
public macro Projection<Root>(of root: Root.Type) =
    #externalMacro(module: "DaybookMacros", type: "ProjectionMacro")

/// Makes a subclass of ``Projection`` an ``EntityProjection``. Only its properties with
/// ``Projected`` are read from the object.
///
/// ```swift
/// @Projection class PersonProjection: Projection<Person> {
///     @Projected(\Person.firstName) var firstName
/// }
/// ```
@attached(
    extension, conformances: EntityProjection, names: named(init(projecting:)),
    named(projectedProperties), named(decode), named(apply))
public macro Projection() = #externalMacro(module: "DaybookMacros", type: "ProjectionMacro")
#endif
