import DaybookBytes
import DaybookEngine

// Objects by their primary keys. A compound key takes its values in the order of the declaration:
// `get(key: "acme", 7)`.

extension Box {
    /// The object with a primary key, or nil.
    ///
    /// - Throws: `.invalidArgument` where the entity has no primary key, or the values are not of
    ///   its types; `.corruption` or `.inputOutput` where no object is known to have the key and
    ///   there is one whose key cannot be read; else as `get` of an id does.
    /// - Complexity: two tree walks, and the object's frame from the cache or the disk.
    public func get<each Key: PropertyValue>(key: repeat each Key) throws -> E? {
        let binding = try binding()
        let sought = try binding.primaryKey(repeat each key, types: types)
        return try engine.readTransaction {
            guard let id = try engine.find(binding.entity, index: sought.index, sought.key) else {
                return nil
            }
            return try get(id)
        }
    }

    /// Whether an object has a primary key. Throws as `get` does. Cost: a tree walk.
    public func contains<each Key: PropertyValue>(key: repeat each Key) throws -> Bool {
        let binding = try binding()
        let sought = try binding.primaryKey(repeat each key, types: types)
        return try engine.find(binding.entity, index: sought.index, sought.key) != nil
    }

    /// Removes the object with a primary key; false where there is none. Throws as `get` does, and
    /// what every write throws.
    @discardableResult
    public func remove<each Key: PropertyValue>(key: repeat each Key) throws -> Bool {
        let binding = try binding()
        let sought = try binding.primaryKey(repeat each key, types: types)
        return try engine.operate { transaction in
            guard
                let id = try transaction.find(
                    binding.entity, index: sought.index, sought.key)
            else { return false }
            return try transaction.remove(binding.entity, id)
        }
    }

    /// Stores an object, or does with the one that has its primary key what `policy` says.
    ///
    /// - Throws: `.invalidArgument` where the entity has no primary key; `.uniqueViolation` as the
    ///   policy says; `.primaryKeyChanged` for an object whose id belongs to another key; else as
    ///   `put` does. Nothing is changed then.
    @discardableResult
    public func put(_ object: E, update policy: UpsertPolicy) throws -> Id {
        var object = object
        return try put(&object, update: policy)
    }

    /// Stores a struct and sets its id. Else as `put` of an object of a class.
    @discardableResult
    public func put(_ object: inout E, update policy: UpsertPolicy) throws -> Id {
        try binding().requirePrimaryKey()
        return try put(&object, PutOptions(upsert: policy))
    }

    /// Stores objects in one transaction: all of them or none. Else as `put` of one.
    public func put(_ objects: some Collection<E>, update policy: UpsertPolicy) throws {
        try binding().requirePrimaryKey()
        _ = try putAndReturnIDs(objects, PutOptions(upsert: policy))
    }
}
