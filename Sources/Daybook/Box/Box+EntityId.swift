// The same operations with typed ids. Where a literal could be both, it is a plain ``Id``.

extension Box {
    /// The object under a typed id, or nil. As `get` with a plain id.
    @_disfavoredOverload
    public func get(_ id: EntityId<E>) throws -> E? { try get(id.value) }

    /// The objects under typed ids, in the order of the ids, without missing ones; at most
    /// `maxCount` objects, none for 0. All come from one version.
    @_disfavoredOverload
    public func get(_ ids: some Collection<EntityId<E>>, maxCount: Int = .max) throws -> [E] {
        try get(ids.map(\.value), maxCount: maxCount)
    }

    /// The objects under typed ids, by id, without those that are missing. All come from one
    /// version.
    @_disfavoredOverload
    public func getAsDictionary(
        _ ids: some Collection<EntityId<E>>
    ) throws -> [EntityId<E>: E] {
        let found = try getAsDictionary(ids.map(\.value))
        return Dictionary(uniqueKeysWithValues: found.map { (EntityId($0.key), $0.value) })
    }

    /// Whether an object lives under the typed id. Cost: a tree walk.
    @_disfavoredOverload
    public func contains(_ id: EntityId<E>) throws -> Bool { try contains(id.value) }

    /// Whether an object lives under each of the typed ids, in one version.
    @_disfavoredOverload
    public func contains(_ ids: some Collection<EntityId<E>>) throws -> Bool {
        try contains(ids.map(\.value))
    }

    /// Removes the object under a typed id. As `remove` with a plain id.
    @_disfavoredOverload
    @discardableResult
    public func remove(_ id: EntityId<E>) throws -> Bool { try remove(id.value) }

    /// Removes the objects with these typed ids in one transaction, and returns how many were
    /// removed. Ids without an object are skipped.
    @_disfavoredOverload
    @discardableResult
    public func remove(_ ids: some Collection<EntityId<E>>) throws -> Int {
        try remove(ids.map(\.value))
    }

    /// The commit that changed the object under a typed id last, as `sequence` of a plain id.
    @_disfavoredOverload
    public func sequence(of id: EntityId<E>) throws -> UInt64? { try sequence(of: id.value) }

    /// The object under a typed id and the commit that changed it last, as `getVersioned` with a
    /// plain id.
    @_disfavoredOverload
    public func getVersioned(_ id: EntityId<E>) throws -> Versioned<E>? {
        try getVersioned(id.value)
    }

    /// Removes the object under a typed id, unless somebody else has changed or removed it since;
    /// as `remove` with a plain id.
    @_disfavoredOverload
    @discardableResult
    public func remove(_ id: EntityId<E>, ifUnchangedSince sequence: UInt64) throws -> Bool {
        try remove(id.value, ifUnchangedSince: sequence)
    }
}
