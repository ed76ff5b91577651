// The same operations with typed ids. A literal that could be either is a plain ``Id``.

extension Box {
    /// Returns the object with a typed id, or nil. As `get` with a plain id.
    @_disfavoredOverload
    public func get(_ id: EntityId<E>) throws -> E? { try get(id.value) }

    /// Returns the objects with these typed ids, in the order of the ids, without missing ones; at
    /// most `maxCount` objects, none for 0. All come from one version.
    @_disfavoredOverload
    public func get(_ ids: some Collection<EntityId<E>>, maxCount: Int = .max) throws -> [E] {
        try get(ids.map(\.value), maxCount: maxCount)
    }

    /// Returns the objects with these typed ids, by id, without missing ones. All come from one
    /// version.
    @_disfavoredOverload
    public func getAsDictionary(
        _ ids: some Collection<EntityId<E>>
    ) throws -> [EntityId<E>: E] {
        let found = try getAsDictionary(ids.map(\.value))
        return Dictionary(uniqueKeysWithValues: found.map { (EntityId($0.key), $0.value) })
    }

    /// Returns whether there is an object with the typed id. Cost: one tree lookup.
    @_disfavoredOverload
    public func contains(_ id: EntityId<E>) throws -> Bool { try contains(id.value) }

    /// Returns whether there is an object with each of the typed ids, in one version.
    @_disfavoredOverload
    public func contains(_ ids: some Collection<EntityId<E>>) throws -> Bool {
        try contains(ids.map(\.value))
    }

    /// Removes the object with a typed id. As `remove` with a plain id.
    @_disfavoredOverload
    @discardableResult
    public func remove(
        _ id: EntityId<E>, ifUnchangedSince sequence: UInt64? = nil
    ) throws -> Bool { try remove(id.value, ifUnchangedSince: sequence) }

    /// Removes the objects with these typed ids in one transaction, and returns the number of
    /// removed objects. Ids without an object are skipped.
    @_disfavoredOverload
    @discardableResult
    public func remove(_ ids: some Collection<EntityId<E>>) throws -> Int {
        try remove(ids.map(\.value))
    }

    /// Returns the sequence of the last commit that changed the object with a typed id. As
    /// `sequence(of:)` with a plain id.
    @_disfavoredOverload
    public func sequence(of id: EntityId<E>) throws -> UInt64? { try sequence(of: id.value) }

    /// Returns the object with a typed id, and the sequence of the last commit that changed it. As
    /// `getVersioned` with a plain id.
    @_disfavoredOverload
    public func getVersioned(_ id: EntityId<E>) throws -> Versioned<E>? {
        try getVersioned(id.value)
    }
}
