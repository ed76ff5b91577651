import DaybookEngine

extension Box {
    /// `remove` by id, without blocking. Returns whether an object was removed.
    @discardableResult
    public nonisolated(nonsending) func remove(
        _ id: Id, ifUnchangedSince sequence: UInt64? = nil
    ) async throws -> Bool {
        try await engine.write { _ in try self.remove(id, ifUnchangedSince: sequence) }
    }

    /// `remove` of an object, without blocking.
    @discardableResult
    public nonisolated(nonsending) func remove(
        _ object: E, ifUnchangedSince sequence: UInt64? = nil
    ) async throws -> Bool {
        let binding = try binding()
        let encoded = try binding.sought(object, types)
        let id = try await engine.readElsewhere { try binding.id(of: encoded) }
        return try await remove(id, ifUnchangedSince: sequence)
    }

    /// `remove` of several ids in one transaction, without blocking.
    @discardableResult
    public nonisolated(nonsending) func remove(_ ids: some Collection<Id>) async throws -> Int {
        let ids = Array(ids)
        return try await engine.write { _ in try self.remove(ids) }
    }

    /// `remove` of several objects in one transaction, without blocking.
    @discardableResult
    public nonisolated(nonsending) func remove(_ objects: some Collection<E>) async throws -> Int {
        let binding = try binding()
        let sought = try objects.map { try binding.sought($0, types) }
        return try await remove(
            try await engine.readElsewhere { try sought.map { try binding.id(of: $0) } })
    }

    /// `removeAll` without blocking.
    @discardableResult
    public nonisolated(nonsending) func removeAll() async throws -> Int {
        try await engine.write { _ in try self.removeAll() }
    }
}
