import DaybookBytes
import DaybookEngine
import DaybookQuery

// The asynchronous overloads. Objects are decoded in the caller's isolation. All of them throw
// `CancellationError` if the task is cancelled; a running scan stops soon after.

/// The number of rows that are read ahead at a time.
private let pieceCount = 256

extension Query {
    /// `find` without blocking. Throws `CancellationError` if the task is cancelled.
    public nonisolated(nonsending) func find() async throws -> [E] {
        let (runner, binding) = (try runner(), try binding())
        let rows = try await elsewhere { try runner.rows($0) }
        return try await loadedElsewhere(
            rows.map { try binding.decode($0, as: E.self, types) })
    }

    /// `findFirst` without blocking.
    public nonisolated(nonsending) func findFirst() async throws -> E? {
        let (runner, binding) = (try runner(), try binding())
        guard let row = try await elsewhere({ try runner.first($0) }) else { return nil }
        return try await loadedElsewhere([try binding.decode(row, as: E.self, types)]).first
    }

    /// `findUnique` without blocking.
    public nonisolated(nonsending) func findUnique() async throws -> E? {
        let found = try await part(offset: 0, limit: 2).find()
        try Self.requireOne(found.count)
        return found.first
    }

    /// `findIds` without blocking.
    public nonisolated(nonsending) func findIds() async throws -> [EntityId<E>] {
        let runner = try runner()
        return try await elsewhere { try runner.ids($0) }.map { EntityId($0) }
    }

    /// `count` without blocking.
    public nonisolated(nonsending) func count() async throws -> Int {
        let runner = try runner()
        return try await elsewhere { try runner.count($0) }
    }

    /// `isEmpty` without blocking.
    public nonisolated(nonsending) func isEmpty() async throws -> Bool {
        let runner = try runner()
        return try await elsewhere { try !runner.exists($0) }
    }

    /// `forEach` without blocking. Rows are read ahead in batches, all from one version. `body`
    /// runs in the caller's isolation. If the store is closed meanwhile, the next batch throws
    /// `.closed`; if the task is cancelled, `CancellationError`.
    public nonisolated(nonsending) func forEach(_ body: (E) throws -> Void) async throws {
        try await visit { object in
            try body(object)
            return true
        }
    }

    /// `visit` without blocking, with the same batches as `forEach`.
    public nonisolated(nonsending) func visit(_ visitor: (E) throws -> Bool) async throws {
        let (runner, binding, types) = (try runner(), try binding(), types)
        let (view, ids) = try await elsewhere { access in
            (access.view, try runner.ids(access))
        }
        guard let view else { preconditionFailure("no transaction runs on the store's threads") }
        var rest = ids[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(pieceCount))
            rest = rest.dropFirst(pieceCount)
            let rows = try await types.engine.readElsewhere {
                try view.rows(binding.entity, piece)
            }
            let objects = try await loadedElsewhere(
                rows.map { try binding.decode($0, as: E.self, types) })
            for object in objects where try !visitor(object) { return }
        }
    }

    /// `find` of projections without blocking.
    public nonisolated(nonsending) func find<P: EntityProjection>(
        as type: P.Type
    ) async throws -> [P] where P.Root == E {
        let (runner, binding) = (try runner(), try binding())
        let rows = try await elsewhere { try runner.rows($0) }
        return try rows.map { try decode($0, as: P.self, binding) }
    }

    /// `remove` without blocking. If the task is cancelled, it throws `CancellationError` and
    /// removes nothing, or removes all and returns normally.
    @discardableResult
    public nonisolated(nonsending) func remove() async throws -> Int {
        let (runner, entity, types) = (try writing(), try binding().entity, types)
        return try await types.engine.write { transaction in
            let ids = try types.query { try runner.ids($0) }
            return ids.isEmpty ? 0 : try transaction.changes.remove(entity, ids)
        }
    }

    /// `explain` without blocking.
    public nonisolated(nonsending) func explain(
        isRun: Bool = false
    ) async throws -> ExplainedQuery {
        let runner = try runner()
        return try await elsewhere { try runner.explain($0, isRun: isRun) }
    }

    /// Runs `body` on a thread of the store.
    nonisolated(nonsending) func elsewhere<Result: Sendable>(
        _ body: @escaping @Sendable (QueryAccess) throws -> Result
    ) async throws -> Result {
        let types = types
        return try await types.engine.readElsewhere { try types.query(body) }
    }

    nonisolated(nonsending) func loadedElsewhere(_ objects: [E]) async throws -> [E] {
        for path in included { try await path.loadElsewhere(objects) }
        return objects
    }
}
