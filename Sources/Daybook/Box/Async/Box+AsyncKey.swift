import DaybookBytes
import DaybookEngine

// Asynchronous operations on objects by their primary keys.

extension Box {
    /// `get` by primary key, without blocking.
    public nonisolated(nonsending) func get<each Key: PropertyValue>(
        key: repeat each Key
    ) async throws -> E? {
        let binding = try binding()
        let sought = try binding.primaryKey(repeat each key, types: types)
        let row = try await engine.readElsewhere {
            try self.engine.readTransaction { () -> StoredRow? in
                let id = try self.engine.find(binding.entity, index: sought.index, sought.key)
                return try id.flatMap { try self.engine.row(binding.entity, $0) }
            }
        }
        return try row.map { try binding.decode($0, as: E.self, types) }
    }

    /// `contains` by primary key, without blocking.
    public nonisolated(nonsending) func contains<each Key: PropertyValue>(
        key: repeat each Key
    ) async throws -> Bool {
        let binding = try binding()
        let sought = try binding.primaryKey(repeat each key, types: types)
        return try await engine.readElsewhere {
            try self.engine.find(binding.entity, index: sought.index, sought.key) != nil
        }
    }

    /// `remove` by primary key, without blocking.
    @discardableResult
    public nonisolated(nonsending) func remove<each Key: PropertyValue>(
        key: repeat each Key
    ) async throws -> Bool {
        let binding = try binding()
        let sought = try binding.primaryKey(repeat each key, types: types)
        return try await engine.write { transaction in
            guard
                let id = try transaction.changes.find(
                    binding.entity, index: sought.index, sought.key)
            else { return false }
            return try transaction.changes.remove(binding.entity, id)
        }
    }

    /// `put` with a policy, without blocking. Sets the id of an object of a class before it
    /// returns.
    @discardableResult
    public nonisolated(nonsending) func put(
        _ object: E, update policy: UpsertPolicy
    ) async throws -> Id {
        try binding().requirePrimaryKey()
        return try await put(CollectionOfOne(object), PutOptions(upsert: policy))[0]
    }

    /// `put` of a struct with a policy, without blocking. Sets its id before it returns.
    @discardableResult
    public nonisolated(nonsending) func put(
        _ object: inout E, update policy: UpsertPolicy
    ) async throws -> Id {
        let id = try await put(object, update: policy)
        if object.entityId != id { object.entityId = id }
        return id
    }

    /// `put` of several objects with a policy in one transaction, without blocking.
    @discardableResult
    public nonisolated(nonsending) func put(
        _ objects: some Collection<E>, update policy: UpsertPolicy
    ) async throws -> [Id] {
        try binding().requirePrimaryKey()
        return try await put(objects, PutOptions(upsert: policy))
    }
}
