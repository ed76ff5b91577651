public import Daybook

// Puts that return the declared type of the id, as in ObjectBox: `Id` or `EntityId`.

extension Box {
    /// Stores an object and returns its id. As `put` with a plain id.
    @discardableResult
    public func put(_ object: E, mode: PutMode = .put) throws -> E.EntityIdType {
        E.EntityIdType(objectId: try put(object, ifUnchangedSince: nil, mode: mode))
    }

    /// Stores a struct, sets its id and returns its id. As `put` with a plain id.
    @discardableResult
    public func put(_ object: inout E, mode: PutMode = .put) throws -> E.EntityIdType {
        E.EntityIdType(objectId: try put(&object, ifUnchangedSince: nil, mode: mode))
    }

    /// Stores objects in one transaction and returns their ids. As `put` with plain ids.
    @discardableResult
    public func put(_ objects: some Collection<E>, mode: PutMode = .put) throws -> [E.EntityIdType]
    {
        let ids: [Id] = try put(objects, mode: mode)
        return ids.map { E.EntityIdType(objectId: $0) }
    }

    /// `put` of an object with the declared type of the id, without blocking.
    @discardableResult
    public nonisolated(nonsending) func put(
        _ object: E, mode: PutMode = .put
    ) async throws -> E.EntityIdType {
        E.EntityIdType(objectId: try await put(object, ifUnchangedSince: nil, mode: mode))
    }

    /// `put` of a struct with the declared type of the id, without blocking. Sets its id.
    @discardableResult
    public nonisolated(nonsending) func put(
        _ object: inout E, mode: PutMode = .put
    ) async throws -> E.EntityIdType {
        E.EntityIdType(objectId: try await put(&object, ifUnchangedSince: nil, mode: mode))
    }

    /// `put` of objects with the declared type of the id, without blocking.
    @discardableResult
    public nonisolated(nonsending) func put(
        _ objects: some Collection<E>, mode: PutMode = .put
    ) async throws -> [E.EntityIdType] {
        let ids: [Id] = try await put(objects, mode: mode)
        return ids.map { E.EntityIdType(objectId: $0) }
    }
}

// The same for contexts that require an `EntityId`.

extension Box {
    /// Stores an object and returns its typed id. As `put` with a plain id.
    @_disfavoredOverload
    @discardableResult
    public func put(_ object: E, mode: PutMode = .put) throws -> EntityId<E> {
        EntityId(try put(object, ifUnchangedSince: nil, mode: mode))
    }

    /// Stores a struct, sets its id and returns its typed id. As `put` with a plain id.
    @_disfavoredOverload
    @discardableResult
    public func put(_ object: inout E, mode: PutMode = .put) throws -> EntityId<E> {
        EntityId(try put(&object, ifUnchangedSince: nil, mode: mode))
    }

    /// Stores objects in one transaction and returns their typed ids. As `put` with plain ids.
    @_disfavoredOverload
    @discardableResult
    public func put(_ objects: some Collection<E>, mode: PutMode = .put) throws -> [EntityId<E>] {
        let ids: [Id] = try put(objects, mode: mode)
        return ids.map { EntityId($0) }
    }

    /// As `put` of a collection with typed ids.
    @_disfavoredOverload
    public func putAndReturnIDs(
        _ objects: some Collection<E>, mode: PutMode = .put
    ) throws -> [EntityId<E>] { try put(objects, mode: mode) }
}
