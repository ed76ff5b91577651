import DaybookBytes
import DaybookEngine

// The operations for `async` callers. The store's own threads read and write the store; objects are
// decoded and encoded on the caller's executor.

/// The number of objects that are read at once.
private let pieceCount = 256

extension ToMany {
    /// `resolve` without blocking: afterwards the collection is in memory.
    public nonisolated(nonsending) func resolve() async throws {
        guard let (attachment, stamp) = unread() else { return }
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
    }

    /// `get` without blocking.
    public nonisolated(nonsending) func get() async throws -> [Target] {
        try await resolve()
        return lock { list.objects }
    }

    /// The same as `resolve`, without blocking.
    public nonisolated(nonsending) func resolveFromDb() async throws { try await resolve() }

    /// `applyToDb` without blocking.
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

    /// `getUncachedFromDb` without blocking.
    public nonisolated(nonsending) func getUncachedFromDb() async throws -> [Target] {
        let attachment = try stored()
        let rows = try await attachment.types.engine.readElsewhere {
            try attachment.rows(of: Target.self)
        }
        return try attachment.decode(rows)
    }

    /// `getUncachedIdsFromDb` without blocking.
    public nonisolated(nonsending) func getUncachedIdsFromDb() async throws -> [EntityId<Target>] {
        let attachment = try stored()
        return try await attachment.types.engine.readElsewhere {
            try attachment.ids(of: Target.self).map { EntityId($0) }
        }
    }

    /// `countInDb` without blocking.
    public nonisolated(nonsending) func countInDb() async throws -> Int {
        let attachment = try stored()
        return try await attachment.types.engine.readElsewhere {
            try attachment.count(of: Target.self)
        }
    }

    /// `page` without blocking.
    public nonisolated(nonsending) func page(
        after id: EntityId<Target> = 0, limit: Int
    ) async throws -> [Target] {
        let attachment = try stored()
        let rows = try await attachment.types.engine.readElsewhere {
            try attachment.rows(of: Target.self, after: id.value, limit: Swift.max(0, limit))
        }
        return try attachment.decode(rows)
    }

    /// `forEachInDb` without blocking. Objects are read in groups, all from one version; `body`
    /// runs on the caller's executor.
    public nonisolated(nonsending) func forEachInDb(
        _ body: (Target) throws -> Void
    ) async throws {
        let attachment = try stored()
        let engine = attachment.types.engine
        let view = try await engine.readElsewhere {
            try attachment.types.view ?? engine.read { $0 }
        }
        let pinned = Attachment(
            attachment.types.reading(in: view), attachment.place, host: attachment.host)
        guard let pinned else { return }
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
    /// `resolve` without blocking: afterwards the target is in memory.
    public nonisolated(nonsending) func resolve() async throws -> Target? {
        guard let unread = unread() else { return known }
        let (attachment, id, held) = (unread.attachment, unread.id, unread.held?.id)
        let read = await Result {
            try await attachment.types.engine.readElsewhere {
                try attachment.targetRow(of: Target.self, id, held: held)
            }
        }
        return try noting { try keep(try read.get(), unread) }
    }

    /// `get` without blocking.
    public nonisolated(nonsending) func get() async throws -> Target? { try await resolve() }
}

extension Result where Failure == any Error {
    /// The result of an asynchronous read.
    nonisolated(nonsending) init(_ body: nonisolated(nonsending) () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
