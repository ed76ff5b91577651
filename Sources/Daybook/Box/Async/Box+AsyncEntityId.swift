// The asynchronous overloads with typed ids.

extension Box {
    /// `get` with a typed id, without blocking.
    @_disfavoredOverload
    public nonisolated(nonsending) func get(_ id: EntityId<E>) async throws -> E? {
        try await get(id.value)
    }

    /// `get` with several typed ids, without blocking. All come from one version.
    @_disfavoredOverload
    public nonisolated(nonsending) func get(
        _ ids: some Collection<EntityId<E>>, maxCount: Int = .max
    ) async throws -> [E] {
        try await get(ids.map(\.value), maxCount: maxCount)
    }

    /// `getAsDictionary` with typed ids, without blocking. All come from one version.
    @_disfavoredOverload
    public nonisolated(nonsending) func getAsDictionary(
        _ ids: some Collection<EntityId<E>>
    ) async throws -> [EntityId<E>: E] {
        let found = try await getAsDictionary(ids.map(\.value))
        return Dictionary(uniqueKeysWithValues: found.map { (EntityId($0.key), $0.value) })
    }

    /// `contains` with a typed id, without blocking.
    @_disfavoredOverload
    public nonisolated(nonsending) func contains(_ id: EntityId<E>) async throws -> Bool {
        try await contains(id.value)
    }

    /// `contains` with several typed ids, in one version, without blocking.
    @_disfavoredOverload
    public nonisolated(nonsending) func contains(
        _ ids: some Collection<EntityId<E>>
    ) async throws -> Bool {
        try await contains(ids.map(\.value))
    }

    /// `remove` with a typed id, without blocking.
    @_disfavoredOverload
    @discardableResult
    public nonisolated(nonsending) func remove(
        _ id: EntityId<E>, ifUnchangedSince sequence: UInt64? = nil
    ) async throws -> Bool { try await remove(id.value, ifUnchangedSince: sequence) }

    /// `remove` with several typed ids in one transaction, without blocking.
    @_disfavoredOverload
    @discardableResult
    public nonisolated(nonsending) func remove(
        _ ids: some Collection<EntityId<E>>
    ) async throws -> Int {
        try await remove(ids.map(\.value))
    }

    /// `sequence(of:)` with a typed id, without blocking.
    @_disfavoredOverload
    public nonisolated(nonsending) func sequence(of id: EntityId<E>) async throws -> UInt64? {
        try await sequence(of: id.value)
    }

    /// `getVersioned` with a typed id, without blocking.
    @_disfavoredOverload
    public nonisolated(nonsending) func getVersioned(
        _ id: EntityId<E>
    ) async throws -> Versioned<E>? {
        try await getVersioned(id.value)
    }
}
