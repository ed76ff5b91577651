import DaybookBytes
import DaybookEngine

extension Box {
    /// `get` without blocking.
    public nonisolated(nonsending) func get(_ id: Id) async throws -> E? {
        let binding = try binding()
        let row = try await engine.readElsewhere { try self.engine.row(binding.entity, id) }
        return try row.map { try binding.decode($0, as: E.self, types) }
    }

    /// `get` with several ids, without blocking. All objects come from one version.
    public nonisolated(nonsending) func get(
        _ ids: some Collection<Id>, maxCount: Int = .max
    ) async throws -> [E] {
        let binding = try binding()
        let rows = try await rows(Array(ids), maxCount: maxCount)
        return try rows.map { try binding.decode($0, as: E.self, types) }
    }

    /// `getAsDictionary` without blocking. All objects come from one version.
    public nonisolated(nonsending) func getAsDictionary(
        _ ids: some Collection<Id>
    ) async throws -> [Id: E] {
        let binding = try binding()
        var found: [Id: E] = [:]
        for row in try await rows(Array(ids), maxCount: .max) {
            found[row.id] = try binding.decode(row, as: E.self, types)
        }
        return found
    }

    private nonisolated(nonsending) func rows(
        _ ids: [Id], maxCount: Int
    ) async throws -> [StoredRow] {
        let entity = try binding().entity
        try Self.requireCount(maxCount, "maxCount")
        return try await engine.readElsewhere {
            try self.engine.readTransaction {
                var rows: [StoredRow] = []
                for id in ids {
                    try OperationCancellation.checkCurrent()
                    if rows.count == maxCount { break }
                    guard let row = try self.engine.row(entity, id) else { continue }
                    rows.append(row)
                }
                return rows
            }
        }
    }

    /// `all` without blocking.
    public nonisolated(nonsending) func all() async throws -> [E] {
        var objects: [E] = []
        try await forEach { objects.append($0) }
        return objects
    }

    /// `count` without blocking.
    public nonisolated(nonsending) func count(limit: Int = .max) async throws -> Int {
        try await engine.readElsewhere { try self.count(limit: limit) }
    }

    /// `isEmpty` without blocking.
    public nonisolated(nonsending) func isEmpty() async throws -> Bool {
        try await engine.readElsewhere { try self.isEmpty() }
    }

    /// `contains` without blocking.
    public nonisolated(nonsending) func contains(_ id: Id) async throws -> Bool {
        try await engine.readElsewhere { try self.contains(id) }
    }

    /// `contains` with several ids, in one version, without blocking.
    public nonisolated(nonsending) func contains(_ ids: some Collection<Id>) async throws -> Bool {
        let ids = Array(ids)
        return try await engine.readElsewhere { try self.contains(ids) }
    }
}
