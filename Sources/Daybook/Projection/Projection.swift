/// The base class of projections that are declared as in Realm.
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
/// A projection is a copy of the stored values at the time of the read.
///
/// The class and its subclasses are isolated to no actor, even in a module with default isolation
/// to the main actor.
nonisolated open class Projection<Root: Entity>: SendableMetatype {
    /// The id of the projected object.
    public final let id: Id

    /// Creates a projection while an object is read. Its projected properties are set afterwards.
    public required init(row: borrowing ProjectionReader<Root>) { id = row.id }
}
