public import Daybook

// Puts that return typed ids. They are chosen unless the context requires a plain `Id`.

extension Box {
    /// Stores an object and returns its typed id. As `put` with a plain id.
    @discardableResult
    public func put(_ object: E, mode: PutMode = .put) throws -> EntityId<E> {
        EntityId(try put(object, ifUnchangedSince: nil, mode: mode))
    }

    /// Stores a struct, sets its id and returns its typed id. As `put` with a plain id.
    @discardableResult
    public func put(_ object: inout E, mode: PutMode = .put) throws -> EntityId<E> {
        EntityId(try put(&object, ifUnchangedSince: nil, mode: mode))
    }

    /// Stores objects in one transaction and returns their typed ids. As `put` with plain ids.
    @discardableResult
    public func put(_ objects: some Collection<E>, mode: PutMode = .put) throws -> [EntityId<E>] {
        let ids: [Id] = try put(objects, mode: mode)
        return ids.map { EntityId($0) }
    }

    /// `put` of an object with a typed id, without blocking.
    @discardableResult
    public nonisolated(nonsending) func put(
        _ object: E, mode: PutMode = .put
    ) async throws -> EntityId<E> {
        EntityId(try await put(object, ifUnchangedSince: nil, mode: mode))
    }

    /// `put` of a struct with a typed id, without blocking. Sets its id.
    @discardableResult
    public nonisolated(nonsending) func put(
        _ object: inout E, mode: PutMode = .put
    ) async throws -> EntityId<E> {
        EntityId(try await put(&object, ifUnchangedSince: nil, mode: mode))
    }

    /// `put` of objects with typed ids, without blocking.
    @discardableResult
    public nonisolated(nonsending) func put(
        _ objects: some Collection<E>, mode: PutMode = .put
    ) async throws -> [EntityId<E>] {
        let ids: [Id] = try await put(objects, mode: mode)
        return ids.map { EntityId($0) }
    }
}
