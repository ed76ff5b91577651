import DaybookBytes
import DaybookEngine

/// How many rows are read ahead at once: few enough to hold, many enough to be worth a change of
/// threads.
private let pieceCount = 256

extension Box {
    /// Gives each object to `visitor`, in the order of ids, until it returns false. All come from
    /// one version, read ahead in pieces on a thread of the store's; `visitor` runs where the
    /// caller does. If the store is closed meanwhile, the next piece throws `.closed`.
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

    /// `visit` on a thread of the store's; with `writable` it is a write transaction that `visitor`
    /// may write in.
    public nonisolated(nonsending) func visit(
        writable: Bool, _ visitor: @escaping @Sendable (E) throws -> Bool
    ) async throws {
        if writable {
            try await engine.write { _ in try self.visit(writable: true, visitor) }
        } else {
            try await engine.readElsewhere { try self.visit(visitor) }
        }
    }

    /// Gives each object to `body`, in the order of ids. As `visit`.
    public nonisolated(nonsending) func forEach(_ body: (E) throws -> Void) async throws {
        try await visit { object in
            try body(object)
            return true
        }
    }

    /// `forEach` on a thread of the store's; with `writable` it is a write transaction that `body`
    /// may write in.
    public nonisolated(nonsending) func forEach(
        writable: Bool, _ body: @escaping @Sendable (E) throws -> Void
    ) async throws {
        try await visit(writable: writable) { object in
            try body(object)
            return true
        }
    }

    /// Gives the object under each of the ids to `body`, in their order; nil for those that are
    /// missing. As `visit`: from one version, read ahead in pieces.
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

    /// The newest version.
    private nonisolated(nonsending) func view() async throws -> ReadView {
        try await engine.readElsewhere { try self.engine.read { $0 } }
    }
}
