import DaybookBytes
import DaybookEngine

// The asynchronous operations. The store's own threads read and write the store. The caller's
// executor decodes and encodes the objects.

/// The number of objects in one batch of ``ToMany/forEachInDb(_:)``.
private let pieceCount = 256

extension ToMany {
    /// Returns the objects of the collection without blocking the thread. Throws the errors of the
    /// synchronous `get`.
    @discardableResult
    public nonisolated(nonsending) func get() async throws -> [Target] {
        guard let (attachment, stamp) = unread() else { return lock { list.objects } }
        let held = lock { list.heldIds }
        let read = await Result {
            try await attachment.types.engine.readElsewhere {
                try attachment.rows(of: Target.self, except: held)
            }
        }
        try noting {
            let (ids, rows) = try read.get()
            try keep(rows, attachment, stamp, ids: ids)
        }
        return lock { list.objects }
    }

    /// Writes the changes to the store without blocking the thread. Throws the errors of the
    /// synchronous `applyToDb`.
    public nonisolated(nonsending) func applyToDb() async throws {
        guard hasChangesToApply else { return }
        let host = try writableHost()
        var puts = GraphBuilder(host.types)
        try note(in: &puts, of: host)
        try puts.encode()
        let (graph, receipts) = puts.finish()
        let outcome = try await host.types.engine.write { try graph.put(in: $0, PutOptions()) }
        receipts.settle(outcome)
    }

    /// Reads and returns the stored objects of the relation without blocking the thread. Throws the
    /// errors of the synchronous `getUncachedFromDb`.
    public nonisolated(nonsending) func getUncachedFromDb() async throws -> [Target] {
        let attachment = try stored()
        let rows = try await attachment.types.engine.readElsewhere {
            try attachment.rows(of: Target.self)
        }
        return try attachment.decode(rows)
    }

    /// Reads and returns the ids of the stored objects, ascending, without blocking the thread.
    /// Throws the errors of the synchronous `getUncachedFromDb`.
    public nonisolated(nonsending) func getUncachedIdsFromDb() async throws -> [EntityId<Target>] {
        let attachment = try stored()
        return try await attachment.types.engine.readElsewhere {
            try attachment.ids(of: Target.self).map { EntityId($0) }
        }
    }

    /// Returns the number of stored objects of the relation without blocking the thread. Throws
    /// the errors of the synchronous `getUncachedFromDb`.
    public nonisolated(nonsending) func countInDb() async throws -> Int {
        let attachment = try stored()
        return try await attachment.types.engine.readElsewhere {
            try attachment.count(of: Target.self)
        }
    }

    /// Reads and returns a page of the stored objects of the relation without blocking the thread.
    ///
    /// - Parameters:
    ///   - id: The page starts with the first object whose id is greater.
    ///   - limit: The maximum number of objects.
    /// - Throws: The errors of the synchronous `getUncachedFromDb`.
    public nonisolated(nonsending) func page(
        after id: EntityId<Target> = 0, limit: Int
    ) async throws -> [Target] {
        let attachment = try stored()
        let rows = try await attachment.types.engine.readElsewhere {
            try attachment.rows(of: Target.self, after: id.value, limit: Swift.max(0, limit))
        }
        return try attachment.decode(rows)
    }

    /// Calls `body` with each stored object of the relation, in ascending order of their ids,
    /// without blocking the thread.
    ///
    /// The objects are read in batches, all from one version. `body` runs on the caller's executor.
    ///
    /// - Throws: The errors of `body` and of the synchronous `getUncachedFromDb`.
    public nonisolated(nonsending) func forEachInDb(
        _ body: (Target) throws -> Void
    ) async throws {
        let attachment = try stored()
        let engine = attachment.types.engine
        let view = try await engine.readElsewhere {
            try attachment.types.view ?? engine.read { $0 }
        }
        let pinned = attachment.reading(in: view)
        var last: Id? = 0
        while let after = last {
            let rows = try await engine.readElsewhere {
                try pinned.rows(of: Target.self, after: after, limit: pieceCount)
            }
            for object in try attachment.decode(rows, as: Target.self) { try body(object) }
            last = rows.last?.id
        }
    }
}

extension ToOne {
    /// Returns the target without blocking the thread. Throws the errors of the synchronous `get`.
    @discardableResult
    public nonisolated(nonsending) func get() async throws -> Target? {
        guard let unread = unread() else { return known }
        let (attachment, id, held) = (unread.attachment, unread.id, unread.held?.id)
        let read = await Result {
            try await attachment.types.engine.readElsewhere {
                try attachment.targetRow(of: Target.self, id, held: held)
            }
        }
        return try noting { try keep(try read.get(), unread) }
    }
}

extension Result where Failure == any Error {
    /// Creates the result of an asynchronous read.
    nonisolated(nonsending) init(_ body: nonisolated(nonsending) () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
