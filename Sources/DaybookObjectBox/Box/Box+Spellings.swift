public import Daybook

// ObjectBox's forms of put, remove and contains. Daybook takes collections, and structs as `inout`.

extension Box {
    /// As `put` of an array.
    @discardableResult
    public func put(
        _ first: E, _ second: E, _ others: E..., mode: PutMode = .put
    ) throws -> [E.EntityIdType] { try put([first, second] + others, mode: mode) }

    /// As `put` of an array.
    public func putAndReturnIDs(
        _ objects: E..., mode: PutMode = .put
    ) throws -> [E.EntityIdType] { try put(objects, mode: mode) }

    /// As `put` of a collection.
    public func putAndReturnIDs(
        _ objects: some Collection<E>, mode: PutMode = .put
    ) throws -> [E.EntityIdType] { try put(objects, mode: mode) }

    /// Stores a struct and returns a copy with its id. As `put(&object)`.
    public func put(struct object: E, mode: PutMode = .put) throws -> E {
        var object = object
        try put(&object, mode: mode)
        return object
    }

    /// Stores structs in one transaction and returns copies with their ids. As `put(&objects)`.
    public func put(structs objects: [E], mode: PutMode = .put) throws -> [E] {
        var objects = objects
        try put(&objects, mode: mode)
        return objects
    }

    /// As `remove` of an array.
    @discardableResult
    public func remove(_ first: Id, _ second: Id, _ others: Id...) throws -> Int {
        try remove([first, second] + others)
    }

    /// As `remove` of an array.
    @discardableResult
    public func remove(_ first: E, _ second: E, _ others: E...) throws -> Int {
        try remove([first, second] + others)
    }

    /// As `remove` of an array of typed ids.
    @_disfavoredOverload
    @discardableResult
    public func remove(
        _ first: EntityId<E>, _ second: EntityId<E>, _ others: EntityId<E>...
    ) throws -> Int { try remove([first, second] + others) }

    /// As `contains` of an array of typed ids.
    @_disfavoredOverload
    public func contains(
        _ first: EntityId<E>, _ second: EntityId<E>, _ others: EntityId<E>...
    ) throws -> Bool { try contains([first, second] + others) }

    /// As `contains` of an array.
    public func contains(_ first: Id, _ second: Id, _ others: Id...) throws -> Bool {
        try contains([first, second] + others)
    }
}
