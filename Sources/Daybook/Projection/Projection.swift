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
/// A projection is a copy of the stored values at the time of the read. `init(projecting:)` of the
/// class makes one from an object in memory, or from an embedded value:
///
/// ```swift
/// @Projection class TownProjection: Projection<Address> {
///     @Projected(\Address.city) var town
/// }
///
/// let town = TownProjection(projecting: address)
/// town.town = "Oslo"
/// try town.apply(to: &address)
/// ```
///
/// The class and its subclasses are isolated to no actor, even in a module with default isolation
/// to the main actor.
nonisolated open class Projection<Root: Storable>: SendableMetatype {
    /// The id of the projected object; 0 for an embedded value.
    fileprivate final let objectId: Id

    /// Creates a projection while an object is read. Its projected properties are set afterwards.
    public required init(row: borrowing ProjectionReader<Root>) { objectId = row.id }

    /// Creates a projection of an object or embedded value in memory. Generated code sets the
    /// projected properties afterwards.
    public init(of root: Root) { objectId = (root as? any Entity)?.entityId ?? 0 }
}

nonisolated extension Projection where Root: Entity {
    /// The id of the projected object; 0 if it was made from an object that is not stored.
    public final var id: Id { objectId }
}
