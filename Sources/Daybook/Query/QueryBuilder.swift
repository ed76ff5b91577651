import DaybookBytes
import DaybookQuery

/// A query under construction, with ObjectBox's names:
///
/// ```swift
/// let query = try box.query { Person.age > 18 && Person.name.startsWith("S") }
///     .ordered(by: Person.name, flags: .descending).build()
/// ```
///
/// A builder is a value: each method returns another one.
public struct QueryBuilder<E: Entity>: Sendable {
    private let query: Query<E>

    init(_ query: Query<E>) { self.query = query }

    /// Returns the builder with a sort key. Earlier sort keys take precedence; ties are sorted by
    /// id.
    public func ordered<Value>(
        by property: Property<E, Value>, flags: OrderFlags = []
    ) -> QueryBuilder { QueryBuilder(query.sorted(by: property, flags: flags)) }

    /// Returns the builder restricted to objects that are related to an object matching the
    /// conditions.
    public func link<Relation: ToOneRelation>(
        _ relation: Property<E, Relation>, conditions: () -> Condition<Relation.Target>
    ) -> QueryBuilder { QueryBuilder(query.and(relation.link(conditions))) }

    /// Returns the builder restricted to objects that are related to an object matching the
    /// conditions.
    public func link<Relation: ToManyRelation>(
        _ relation: Property<E, Relation>, conditions: () -> Condition<Relation.Target>
    ) -> QueryBuilder { QueryBuilder(query.and(relation.link(conditions))) }

    /// Returns the query. Throws `.invalidArgument` for an invalid query, and
    /// `.entityNotRegistered`.
    public func build() throws -> Query<E> { try query.prepare() }
}
