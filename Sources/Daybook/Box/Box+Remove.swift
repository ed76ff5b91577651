import DaybookEngine

extension Box {
    /// Removes the object with an id. Its history stays until a compaction drops it. The id is
    /// never assigned to another object.
    ///
    /// The object's links are removed on both sides. The objects at their other ends stay, unless
    /// the relation has another ``DeleteRule``.
    ///
    /// Returns whether an object was removed; a missing object is not an error. Throws
    /// `.relationDenied` if a delete rule denies the removal, and the errors of every write.
    /// Nothing is changed then. An object whose row is unreadable because of damage can be removed.
    /// If its entity has indexes, all of them are searched for its entries.
    ///
    /// - Parameters:
    ///   - id: the id.
    ///   - sequence: if not nil, the object is removed only if it is unchanged since that commit,
    ///     as for a put. Throws `.conflict` if another commit has changed or removed it.
    @discardableResult
    public func remove(_ id: Id, ifUnchangedSince sequence: UInt64? = nil) throws -> Bool {
        let binding = try binding()
        return try engine.operate { transaction in
            if let sequence {
                try transaction.changes.requireUnchanged(binding.entity, id, since: sequence)
            }
            return try transaction.changes.remove(binding.entity, id)
        }
    }

    /// Removes an object, and returns whether it was stored. An object without an id is found by
    /// its primary key. Otherwise as `remove` by id.
    @discardableResult
    public func remove(_ object: E, ifUnchangedSince sequence: UInt64? = nil) throws -> Bool {
        try remove(try binding().id(of: object, types), ifUnchangedSince: sequence)
    }

    /// Removes the objects with these ids in one transaction, and returns the number of removed
    /// objects. Ids without an object are skipped.
    @discardableResult
    public func remove(_ ids: some Collection<Id>) throws -> Int {
        let binding = try binding()
        guard !ids.isEmpty else { return 0 }
        let all = Array(ids)
        return try engine.operate { try $0.changes.remove(binding.entity, all) }
    }

    /// Removes objects in one transaction, and returns the number of removed objects. Objects that
    /// are not stored are skipped.
    @discardableResult
    public func remove(_ objects: some Collection<E>) throws -> Int {
        let binding = try binding()
        return try remove(objects.map { try binding.id(of: $0, types) })
    }

    /// Removes all objects in one transaction, and returns the number of removed objects. Their ids
    /// are not assigned again.
    @discardableResult
    public func removeAll() throws -> Int {
        let binding = try binding()
        return try engine.operate { transaction in
            try transaction.changes.remove(
                binding.entity, try transaction.changes.ids(binding.entity))
        }
    }
}
