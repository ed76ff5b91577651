public import Daybook

// The forms of `Box+Spellings.swift` without blocking.

extension Box {
    /// As `put` of an array, without blocking.
    @discardableResult
    public nonisolated(nonsending) func put(
        _ first: E, _ second: E, _ others: E..., mode: PutMode = .put
    ) async throws -> [E.EntityIdType] { try await put([first, second] + others, mode: mode) }

    /// As `put` of an array, without blocking.
    public nonisolated(nonsending) func putAndReturnIDs(
        _ objects: E..., mode: PutMode = .put
    ) async throws -> [E.EntityIdType] { try await put(objects, mode: mode) }

    /// As `put` of a collection, without blocking.
    public nonisolated(nonsending) func putAndReturnIDs(
        _ objects: some Collection<E>, mode: PutMode = .put
    ) async throws -> [E.EntityIdType] { try await put(objects, mode: mode) }

    /// Stores a struct without blocking, and returns a copy with its id.
    public nonisolated(nonsending) func put(
        struct object: E, mode: PutMode = .put
    ) async throws -> E {
        var object = object
        try await put(&object, mode: mode)
        return object
    }

    /// Stores structs in one transaction without blocking, and returns copies with their ids.
    public nonisolated(nonsending) func put(
        structs objects: [E], mode: PutMode = .put
    ) async throws -> [E] {
        var objects = objects
        try await put(&objects, mode: mode)
        return objects
    }

    /// As `remove` of an array, without blocking.
    @discardableResult
    public nonisolated(nonsending) func remove(
        _ first: Id, _ second: Id, _ others: Id...
    ) async throws -> Int { try await remove([first, second] + others) }

    /// As `remove` of an array, without blocking.
    @discardableResult
    public nonisolated(nonsending) func remove(
        _ first: E, _ second: E, _ others: E...
    ) async throws -> Int { try await remove([first, second] + others) }

    /// As `contains` of an array, without blocking.
    public nonisolated(nonsending) func contains(
        _ first: Id, _ second: Id, _ others: Id...
    ) async throws -> Bool { try await contains([first, second] + others) }
}
