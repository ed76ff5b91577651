import DaybookBytes
import DaybookEngine

// The asynchronous overloads. Projections are created in the caller's isolation.

/// The number of rows to read ahead in one batch.
private let pieceCount = 256

extension Projections {
    /// `get` without blocking.
    public nonisolated(nonsending) func get(_ id: Id) async throws -> P? {
        let (binding, engine) = (try box.binding(), box.engine)
        let row = try await engine.readElsewhere { try engine.row(binding.entity, id) }
        return try row.map { try decode($0, binding) }
    }

    /// `all` without blocking.
    public nonisolated(nonsending) func all() async throws -> [P] {
        var all: [P] = []
        try await forEach { all.append($0) }
        return all
    }

    /// `forEach` without blocking. Objects come from one version and are read ahead in batches;
    /// `body` runs in the caller's isolation.
    public nonisolated(nonsending) func forEach(_ body: (P) throws -> Void) async throws {
        let (binding, engine) = (try box.binding(), box.engine)
        let view = try await engine.readElsewhere { try engine.read { $0 } }
        var next: Id? = 0
        while let start = next {
            let rows = try await engine.readElsewhere {
                try view.rows(binding.entity, from: start, limit: pieceCount)
            }
            for row in rows { try body(try decode(row, binding)) }
            next = rows.last.map { $0.id + 1 }
        }
    }

    /// `count` without blocking.
    public nonisolated(nonsending) func count() async throws -> Int { try await box.count() }

    /// `update` without blocking. `body` runs on a thread of the store.
    @discardableResult
    public nonisolated(nonsending) func update<Result: Sendable>(
        _ id: Id, _ body: @escaping @Sendable (inout P) throws -> Result
    ) async throws -> Result {
        try await box.engine.write { _ in try self.update(id, body) }
    }
}
