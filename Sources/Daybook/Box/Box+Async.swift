import DaybookBytes
import DaybookEngine

// The same operations for `async` callers. The work is done on the store's own threads, and no
// thread is held while the disk is waited for. Objects are turned into rows, and rows into objects,
// where the caller runs, so objects need not be `Sendable`. Inside an `async` function these are
// chosen, with `await`. A transaction of several operations is one synchronous block, in which the
// blocking ones are chosen: `try await store.write { … }`.

extension Box {
    /// `put` without blocking. An object of a class has its id when this returns.
    @discardableResult
    public nonisolated(nonsending) func put(_ object: E, mode: PutMode = .put) async throws -> Id {
        try await putAndReturnIDs(CollectionOfOne(object), mode: mode)[0]
    }

    /// `put` of a struct without blocking; it has its id when this returns.
    @discardableResult
    public nonisolated(nonsending) func put(
        _ object: inout E, mode: PutMode = .put
    ) async throws -> Id {
        let id = try await put(object, mode: mode)
        if object.entityId != id { object.entityId = id }
        return id
    }

    /// `put` of several objects in one transaction, without blocking.
    public nonisolated(nonsending) func put(
        _ objects: some Collection<E>, mode: PutMode = .put
    ) async throws {
        _ = try await putAndReturnIDs(objects, mode: mode)
    }

    /// `put` of several objects in one transaction, without blocking.
    public nonisolated(nonsending) func put(
        _ objects: E..., mode: PutMode = .put
    ) async throws {
        _ = try await putAndReturnIDs(objects, mode: mode)
    }

    /// `put` of several structs in one transaction, without blocking; they have their ids when this
    /// returns.
    public nonisolated(nonsending) func put(
        _ objects: inout [E], mode: PutMode = .put
    ) async throws {
        let ids = try await putAndReturnIDs(objects, mode: mode)
        for (index, id) in zip(objects.indices, ids) where objects[index].entityId != id {
            objects[index].entityId = id
        }
    }

    /// Stores a struct without blocking, and returns a copy that has its id.
    public nonisolated(nonsending) func put(
        struct object: E, mode: PutMode = .put
    ) async throws -> E {
        var object = object
        try await put(&object, mode: mode)
        return object
    }

    /// Stores structs in one transaction without blocking, and returns copies that have their ids.
    public nonisolated(nonsending) func put(
        structs objects: [E], mode: PutMode = .put
    ) async throws -> [E] {
        var objects = objects
        try await put(&objects, mode: mode)
        return objects
    }

    /// Stores objects in one transaction, without blocking, and returns their ids in order.
    public nonisolated(nonsending) func putAndReturnIDs(
        _ objects: E..., mode: PutMode = .put
    ) async throws -> [Id] {
        try await putAndReturnIDs(objects, mode: mode)
    }

    /// Stores objects in one transaction, without blocking, and returns their ids in order.
    public nonisolated(nonsending) func putAndReturnIDs(
        _ objects: some Collection<E>, mode: PutMode = .put
    ) async throws -> [Id] {
        try await putAndReturnIDs(objects, PutOptions(mode: mode))
    }

    nonisolated(nonsending) func putAndReturnIDs(
        _ objects: some Collection<E>, _ options: PutOptions
    ) async throws -> [Id] {
        let binding = try binding()
        guard !objects.isEmpty else { return [] }
        let previous = try await previousRows(of: objects, binding)
        if binding.hasRelations { return try await putGraph(objects, options, previous) }
        let encoded = try EncodedObjects(objects, binding, types, replacing: previous)
        let ids = try await engine.write { try encoded.put(in: $0, options) }
        if E.self is AnyClass {
            for (object, id) in zip(objects, ids) where object.entityId != id {
                Self.setId(of: object, to: id)
            }
        }
        return ids
    }

    /// The rows that a put of the objects replaces; none for types that never ask.
    private nonisolated(nonsending) func previousRows(
        of objects: some Collection<E>, _ binding: EntityBinding
    ) async throws -> [StoredRow?] {
        guard binding.keepsUnknownValues else { return [] }
        let sought = try objects.map { try binding.sought($0, types) }
        return try await engine.readElsewhere { try sought.map { try binding.previous(of: $0) } }
    }
}
