/// The base class of projections that are declared as Realm declares them.
///
/// ```swift
/// @Projection class PersonProjection: Projection<Person> {
///     @Projected(\Person.firstName) var firstName
///     @Projected(\Person.address?.city) var homeCity
/// }
///
/// let names = try store.box(for: Person.self).projections(PersonProjection.self).all()
/// ```
///
/// A projection is a copy of what was stored when it was read.
///
/// It belongs to no actor, and neither do its subclasses, not even in a module that isolates to the
/// main actor by default.
nonisolated open class Projection<Root: Entity>: SendableMetatype {
    /// The id of the object that it is an excerpt of.
    public final let id: Id

    /// Made while an object is read; its properties follow.
    public required init(row: borrowing ProjectionReader<Root>) { id = row.id }
}
