import DaybookBytes
import DaybookEngine

// The same operations for `async` callers: the store is read and written on threads of its own,
// objects are made and turned into rows where the caller runs.

/// How many objects are read ahead at once.
private let pieceCount = 256

extension ToMany {
    /// `resolve` without blocking: afterwards the collection is in memory.
    public nonisolated(nonsending) func resolve() async throws {
        guard let (attachment, stamp) = unread() else { return }
        let read = await Result {
            try await attachment.types.engine.readElsewhere {
                try attachment.rows(of: Target.self)
            }
        }
        try noting { try keep(try read.get(), attachment, stamp) }
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

    /// `forEachInDb` without blocking: read ahead in pieces, from one version; `body` runs where
    /// the caller does.
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
        guard let (attachment, generation) = unread() else { return known }
        let set = knownId
        let read = await Result {
            try await attachment.types.engine.readElsewhere {
                try attachment.targetRow(of: Target.self, set)
            }
        }
        return try noting {
            let (id, rows) = try read.get()
            let target = try attachment.decode(rows, as: Target.self).first
            keep(id.map { .object($0, target) } ?? .id(nil), generation)
            return target
        }
    }
}

extension Result where Failure == any Error {
    /// How a read went that somebody else has to be told of.
    nonisolated(nonsending) init(_ body: nonisolated(nonsending) () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
