import DaybookBytes
import DaybookQuery

/// A query that is being put together, as ObjectBox spells it:
///
/// ```swift
/// let query = try box.query { Person.age > 18 && Person.name.startsWith("S") }
///     .ordered(by: Person.name, flags: .descending).build()
/// ```
///
/// It is a value: each call gives another one.
public struct QueryBuilder<E: Entity>: Sendable {
    private let query: Query<E>

    init(_ query: Query<E>) { self.query = query }

    /// In the order of a property, behind the orders that were named before. Ties are in the order
    /// of ids.
    public func ordered<Value>(
        by property: Property<E, Value>, flags: OrderFlags = []
    ) -> QueryBuilder { QueryBuilder(query.sorted(by: property, flags: flags)) }

    /// Only those of which a relation leads to an object that is as the conditions say.
    public func link<Relation: ToOneRelation>(
        _ relation: Property<E, Relation>, conditions: () -> Condition<Relation.Target>
    ) -> QueryBuilder { QueryBuilder(query.and(relation.link(conditions))) }

    /// Only those of which a relation leads to an object that is as the conditions say.
    public func link<Relation: ToManyRelation>(
        _ relation: Property<E, Relation>, conditions: () -> Condition<Relation.Target>
    ) -> QueryBuilder { QueryBuilder(query.and(relation.link(conditions))) }

    /// The query. Throws `.invalidArgument` for what makes no sense in it, `.entityNotRegistered`.
    public func build() throws -> Query<E> { try query.prepare() }
}
