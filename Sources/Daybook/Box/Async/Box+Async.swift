import DaybookBytes
import DaybookEngine

// The asynchronous overloads. The work runs on the store's own threads, and the wait for the disk
// blocks no thread. Objects are encoded and decoded in the caller's isolation, so they need not be
// `Sendable`. Inside an `async` function the compiler chooses these overloads, with `await`. A
// transaction of several operations is one synchronous block that uses the blocking overloads: `try
// await store.write { … }`.

extension Box {
    /// `put` without blocking. Sets the id of an object of a class before it returns.
    @_disfavoredOverload
    @discardableResult
    public nonisolated(nonsending) func put(
        _ object: E, ifUnchangedSince sequence: UInt64? = nil, mode: PutMode = .put
    ) async throws -> Id {
        try await put(
            CollectionOfOne(object), PutOptions(mode: mode, unchangedSince: sequence))[0]
    }

    /// `put` of a struct without blocking. Sets its id before it returns.
    @_disfavoredOverload
    @discardableResult
    public nonisolated(nonsending) func put(
        _ object: inout E, ifUnchangedSince sequence: UInt64? = nil, mode: PutMode = .put
    ) async throws -> Id {
        let id = try await put(object, ifUnchangedSince: sequence, mode: mode)
        if object.entityId != id { object.entityId = id }
        return id
    }

    /// `put` of several objects in one transaction, without blocking. Returns their ids in order.
    @_disfavoredOverload
    @discardableResult
    public nonisolated(nonsending) func put(
        _ objects: some Collection<E>, mode: PutMode = .put
    ) async throws -> [Id] {
        try await put(objects, PutOptions(mode: mode))
    }

    /// `put` of several structs in one transaction, without blocking. Sets their ids before it
    /// returns them in order.
    @_disfavoredOverload
    @discardableResult
    public nonisolated(nonsending) func put(
        _ objects: inout [E], mode: PutMode = .put
    ) async throws -> [Id] {
        let ids = try await put(objects, PutOptions(mode: mode))
        for (index, id) in zip(objects.indices, ids) where objects[index].entityId != id {
            objects[index].entityId = id
        }
        return ids
    }

    nonisolated(nonsending) func put(
        _ objects: some Collection<E>, _ options: PutOptions
    ) async throws -> [Id] { try await putAll(objects, options).ids }

    nonisolated(nonsending) func putAll(
        _ objects: some Collection<E>, _ options: PutOptions
    ) async throws -> PutResult {
        let binding = try binding()
        guard !objects.isEmpty else { return PutResult() }
        let previous = try await previousRows(of: objects, binding)
        if binding.hasRelations { return try await putGraph(objects, options, previous) }
        let encoded = try EncodedObjects(objects, binding, types, replacing: previous)
        let result = try await engine.write { try encoded.put(in: $0, options) }
        if E.self is AnyClass {
            for (object, id) in zip(objects, result.ids) where object.entityId != id {
                Self.setId(of: object, to: id)
            }
        }
        return result
    }

    /// Returns the rows that a put of the objects replaces. Empty for types that do not need them.
    private nonisolated(nonsending) func previousRows(
        of objects: some Collection<E>, _ binding: EntityBinding
    ) async throws -> [StoredRow?] {
        guard binding.keepsUnknownValues else { return [] }
        let sought = try objects.map { try binding.sought($0, types) }
        return try await engine.readElsewhere { try sought.map { try binding.previous(of: $0) } }
    }
}
