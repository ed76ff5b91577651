public import Daybook

// Plain ids with the members of typed ones.

extension UInt64 {
    /// The number itself, as the `value` of an ``EntityId``.
    public var value: Id { self }
}

extension Int64 {
    /// The number with the same bits, as the `value` of an ``EntityId``.
    public var value: Id { objectId }
}

extension Box {
    /// Stores an object and returns its typed id. As `put`, which is chosen unless the context
    /// requires an ``EntityId``.
    @_disfavoredOverload
    @discardableResult
    public func put(_ object: E, mode: PutMode = .put) throws -> EntityId<E> {
        EntityId(try put(object, ifUnchangedSince: nil, mode: mode))
    }

    /// Stores a struct, sets its id and returns its typed id. As `put`, which is chosen unless the
    /// context requires an ``EntityId``.
    @_disfavoredOverload
    @discardableResult
    public func put(_ object: inout E, mode: PutMode = .put) throws -> EntityId<E> {
        EntityId(try put(&object, ifUnchangedSince: nil, mode: mode))
    }

    /// Stores objects in one transaction and returns their typed ids. As `put`, which is chosen
    /// unless the context requires an ``EntityId``.
    @_disfavoredOverload
    @discardableResult
    public func put(_ objects: some Collection<E>, mode: PutMode = .put) throws -> [EntityId<E>] {
        let ids: [Id] = try put(objects, mode: mode)
        return ids.map { EntityId($0) }
    }

    /// Stores objects in one transaction and returns their typed ids. As `put`.
    @_disfavoredOverload
    public func putAndReturnIDs(
        _ objects: some Collection<E>, mode: PutMode = .put
    ) throws -> [EntityId<E>] { try put(objects, mode: mode) }
}
