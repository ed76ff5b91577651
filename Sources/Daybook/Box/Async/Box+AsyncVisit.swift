import DaybookBytes
import DaybookEngine

/// The number of rows to read ahead in one batch: few enough for memory, many enough to pay for a
/// thread switch.
private let pieceCount = 256

extension Box {
    /// Calls `visitor` with each object in the order of ids, until it returns false. All objects
    /// come from one version and are read ahead in batches on a thread of the store. `visitor` runs
    /// in the caller's isolation. If the store is closed meanwhile, the next batch throws
    /// `.closed`.
    public nonisolated(nonsending) func visit(_ visitor: (E) throws -> Bool) async throws {
        let binding = try binding()
        let view = try await view()
        var next: Id? = 0
        while let start = next {
            let rows = try await engine.readElsewhere {
                try view.rows(binding.entity, from: start, limit: pieceCount)
            }
            for row in rows {
                if try !visitor(try binding.decode(row, as: E.self, types)) { return }
            }
            next = rows.last.map { $0.id + 1 }
        }
    }

    /// `visit` on a thread of the store. With `writable` it is a write transaction in which
    /// `visitor` may write.
    public nonisolated(nonsending) func visit(
        writable: Bool, _ visitor: @escaping @Sendable (E) throws -> Bool
    ) async throws {
        if writable {
            try await engine.write { _ in try self.visit(writable: true, visitor) }
        } else {
            try await engine.readElsewhere { try self.visit(visitor) }
        }
    }

    /// Calls `body` with each object in the order of ids. Otherwise as `visit`.
    public nonisolated(nonsending) func forEach(_ body: (E) throws -> Void) async throws {
        try await visit { object in
            try body(object)
            return true
        }
    }

    /// `forEach` on a thread of the store. With `writable` it is a write transaction in which
    /// `body` may write.
    public nonisolated(nonsending) func forEach(
        writable: Bool, _ body: @escaping @Sendable (E) throws -> Void
    ) async throws {
        try await visit(writable: writable) { object in
            try body(object)
            return true
        }
    }

    /// Calls `body` with the object of each id, in the order of the ids; with nil for a missing
    /// object. As `visit`, the objects come from one version and are read ahead in batches.
    public nonisolated(nonsending) func forEach(
        ids: some Collection<Id>, _ body: (E?) throws -> Void
    ) async throws {
        let binding = try binding()
        let view = try await view()
        var rest = Array(ids)[...]
        while !rest.isEmpty {
            let piece = rest.prefix(pieceCount)
            rest = rest.dropFirst(pieceCount)
            let rows = try await engine.readElsewhere {
                try piece.map { try view.row(binding.entity, $0) }
            }
            for row in rows { try body(try row.map { try binding.decode($0, as: E.self, types) }) }
        }
    }

    /// Returns a view of the newest version.
    private nonisolated(nonsending) func view() async throws -> ReadView {
        try await engine.readElsewhere { try self.engine.read { $0 } }
    }
}
