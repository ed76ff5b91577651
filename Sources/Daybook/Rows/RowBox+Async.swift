import DaybookEngine
public import DaybookRows

/// The number of rows to read ahead in one batch.
private let pieceCount = 256

extension RowBox {
    /// `get` without blocking.
    public nonisolated(nonsending) func get(_ id: Id) async throws -> AnyRow? {
        let box = self
        return try await types.engine.readElsewhere { try box.get(id) }
    }

    /// `contains` without blocking.
    public nonisolated(nonsending) func contains(_ id: Id) async throws -> Bool {
        let box = self
        return try await types.engine.readElsewhere { try box.contains(id) }
    }

    /// `count` without blocking.
    public nonisolated(nonsending) func count() async throws -> Int {
        let box = self
        return try await types.engine.readElsewhere { try box.count() }
    }

    /// `all` without blocking.
    public nonisolated(nonsending) func all() async throws -> [AnyRow] {
        let box = self
        return try await types.engine.readElsewhere { try box.all() }
    }

    /// `forEach` without blocking. All objects come from one version and are read ahead in batches;
    /// `body` runs in the caller's isolation.
    public nonisolated(nonsending) func forEach(_ body: (AnyRow) throws -> Void) async throws {
        let (box, types) = (self, types)
        let view = try await types.engine.readElsewhere {
            try types.view ?? types.engine.read { $0 }
        }
        var next: Id? = 0
        while let start = next {
            let rows = try await types.engine.readElsewhere {
                let form = try box.form()
                return try view.rows(form.entity, from: start, limit: pieceCount).map {
                    try form.object($0, in: .read(view))
                }
            }
            for row in rows { try body(row) }
            next = rows.last.map { $0.id + 1 }
        }
    }

    /// `put` without blocking.
    @discardableResult
    public nonisolated(nonsending) func put(
        _ values: [String: RowValue], id: Id = 0, links: [String: [Id]] = [:], mode: PutMode = .put
    ) async throws -> Id {
        let box = self
        return try await types.engine.write { _ in
            try box.put(values, id: id, links: links, mode: mode)
        }
    }

    /// `remove` without blocking.
    @discardableResult
    public nonisolated(nonsending) func remove(_ id: Id) async throws -> Bool {
        let box = self
        return try await types.engine.write { _ in try box.remove(id) }
    }
}
