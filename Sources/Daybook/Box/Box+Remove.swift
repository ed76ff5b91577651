import DaybookBytes
import DaybookEngine

extension Box {
    /// Removes the object under an id. Its history stays until a compaction drops it; the id is
    /// never given to another object.
    ///
    /// Its links go with it, from both sides; the objects at their other ends stay, unless the
    /// relation says something else: see ``DeleteRule``.
    ///
    /// Returns false for id 0, which no object has. Throws `.notFound` when there is no such
    /// object, `.relationDenied` where a relation refuses, and what every write throws; nothing is
    /// changed then. An object whose row damage makes unreadable can be
    /// removed; where its entity has indexes, its entries are looked for in all of them.
    @discardableResult
    public func remove(_ id: Id) throws -> Bool {
        let binding = try binding()
        guard id != 0 else { return false }
        return try engine.operate { transaction in
            guard try transaction.remove(binding.entity, id) else {
                throw DaybookError(
                    .notFound,
                    "There is no '\(binding.name)' with id \(id) to remove. Use remove([id]) where"
                        + " a missing one is fine.",
                    details: ["entity": binding.name, "id": String(id)])
            }
            return true
        }
    }

    /// Removes an object. As `remove` of its id; one that keeps no id is found by its primary key.
    @discardableResult
    public func remove(_ object: E) throws -> Bool {
        try remove(try binding().id(of: object, types))
    }

    /// Removes the objects under ids in one transaction, skipping the missing; returns how many
    /// there were.
    @discardableResult
    public func remove(_ ids: some Collection<Id>) throws -> Int {
        let binding = try binding()
        guard !ids.isEmpty else { return 0 }
        let all = Array(ids)
        return try engine.operate { try $0.remove(binding.entity, all) }
    }

    /// Removes the objects under ids in one transaction, skipping the missing; returns how many
    /// there were.
    @discardableResult
    public func remove(_ ids: Id...) throws -> Int { try remove(ids) }

    /// Removes objects in one transaction, skipping those that are not stored; returns how many
    /// were.
    @discardableResult
    public func remove(_ objects: some Collection<E>) throws -> Int {
        let binding = try binding()
        return try remove(objects.map { try binding.id(of: $0, types) })
    }

    /// Removes objects in one transaction, skipping those that are not stored; returns how many
    /// were.
    @discardableResult
    public func remove(_ objects: E...) throws -> Int { try remove(objects) }

    /// Removes all objects in one transaction; returns how many there were. Ids go on where they
    /// were.
    @discardableResult
    public func removeAll() throws -> Int {
        let binding = try binding()
        return try engine.operate { transaction in
            try transaction.remove(binding.entity, try transaction.ids(binding.entity))
        }
    }
}
