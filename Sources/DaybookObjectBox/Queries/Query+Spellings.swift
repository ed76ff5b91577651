public import Daybook

/// ObjectBox's name of a query under construction. Daybook has one type for a query before and
/// after `build()`.
public typealias QueryBuilder = Query

/// ObjectBox's name of a condition.
public typealias QueryCondition = Condition

extension Query {
    /// Returns the query restricted to objects that are related to an object matching the
    /// conditions. As `and` with a condition on the relation.
    public func link<Relation: ToOneRelation>(
        _ relation: Daybook.Property<E, Relation>, conditions: () -> Condition<Relation.Target>
    ) -> Query { and(relation.link(conditions)) }

    /// Returns the query restricted to objects that are related to an object matching the
    /// conditions. As `and` with a condition on the relation.
    public func link<Relation: ToManyRelation>(
        _ relation: Daybook.Property<E, Relation>, conditions: () -> Condition<Relation.Target>
    ) -> Query { and(relation.any(conditions)) }

    /// As `find` of the query with an offset and a limit, in addition to its own.
    ///
    /// - Parameters:
    ///   - offset: The number of objects to skip, in addition to the query's own.
    ///   - limit: The maximum number of objects. The query's own applies too. 0 returns no objects.
    /// - Throws: The errors of `find`, and `.invalidArgument` for a negative number.
    public func find(offset: Int, limit: Int = .max) throws -> [E] {
        try part(offset: offset, limit: limit).find()
    }

    /// As `find` of the query with a limit, in addition to its own.
    public func find(limit: Int) throws -> [E] { try part(offset: 0, limit: limit).find() }

    /// As `findIds` of the query with an offset and a limit, in addition to its own.
    public func findIds(offset: Int, limit: Int = .max) throws -> [EntityId<E>] {
        try part(offset: offset, limit: limit).findIds()
    }

    /// As `findIds` of the query with a limit, in addition to its own.
    public func findIds(limit: Int) throws -> [EntityId<E>] {
        try part(offset: 0, limit: limit).findIds()
    }

    /// As `find`, with a `ContiguousArray`.
    public func findContiguous() throws -> ContiguousArray<E> { ContiguousArray(try find()) }

    /// The negation of `isEmpty`.
    public func exists() throws -> Bool { try !isEmpty() }
}

// The same without blocking.

extension Query {
    /// As `find` of the query with an offset and a limit, in addition to its own.
    public nonisolated(nonsending) func find(
        offset: Int, limit: Int = .max
    ) async throws -> [E] { try await part(offset: offset, limit: limit).find() }

    /// As `find` of the query with a limit, in addition to its own.
    public nonisolated(nonsending) func find(limit: Int) async throws -> [E] {
        try await part(offset: 0, limit: limit).find()
    }

    /// As `findIds` of the query with an offset and a limit, in addition to its own.
    public nonisolated(nonsending) func findIds(
        offset: Int, limit: Int = .max
    ) async throws -> [EntityId<E>] { try await part(offset: offset, limit: limit).findIds() }

    /// As `findIds` of the query with a limit, in addition to its own.
    public nonisolated(nonsending) func findIds(limit: Int) async throws -> [EntityId<E>] {
        try await part(offset: 0, limit: limit).findIds()
    }

    /// As `find`, with a `ContiguousArray`.
    public nonisolated(nonsending) func findContiguous() async throws -> ContiguousArray<E> {
        ContiguousArray(try await find())
    }

    /// The negation of `isEmpty`.
    public nonisolated(nonsending) func exists() async throws -> Bool { try await !isEmpty() }
}
