import DaybookBytes
import DaybookEngine

// Operations on objects by their primary keys. The values of a compound key are in the order of the
// declaration: `get(key: "acme", 7)`.

extension Box {
    /// Returns the object with a primary key, or nil.
    ///
    /// - Throws: `.invalidArgument` if the entity has no primary key, or a value has another type.
    ///   `.corruption` or `.inputOutput` if the key is not found and the key of another object
    ///   cannot be read, because that object might have it. Otherwise as `get` by id.
    /// - Complexity: two tree lookups, and the object's frame from the cache or the disk.
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

    /// Returns whether an object has a primary key. Throws as `get`. Cost: one tree lookup.
    public func contains<each Key: PropertyValue>(key: repeat each Key) throws -> Bool {
        let binding = try binding()
        let sought = try binding.primaryKey(repeat each key, types: types)
        return try engine.find(binding.entity, index: sought.index, sought.key) != nil
    }

    /// Removes the object with a primary key, and returns whether there was one. Throws as `get`,
    /// and the errors of every write.
    @discardableResult
    public func remove<each Key: PropertyValue>(key: repeat each Key) throws -> Bool {
        let binding = try binding()
        let sought = try binding.primaryKey(repeat each key, types: types)
        return try engine.operate { transaction in
            guard
                let id = try transaction.changes.find(
                    binding.entity, index: sought.index, sought.key)
            else { return false }
            return try transaction.changes.remove(binding.entity, id)
        }
    }

    /// Stores an object. If there is an object with its primary key, `policy` decides what happens
    /// to it.
    ///
    /// - Throws: `.invalidArgument` if the entity has no primary key; `.uniqueViolation` if the
    ///   policy requires it; `.primaryKeyChanged` if the object with its id has another key;
    ///   otherwise as `put`. Nothing is changed then.
    @discardableResult
    public func put(_ object: E, update policy: UpsertPolicy) throws -> Id {
        var object = object
        return try put(&object, update: policy)
    }

    /// Stores a struct and sets its id. Otherwise as `put` of an object of a class.
    @discardableResult
    public func put(_ object: inout E, update policy: UpsertPolicy) throws -> Id {
        try binding().requirePrimaryKey()
        return try put(&object, PutOptions(upsert: policy))
    }

    /// Stores objects in one transaction: all of them or none, and returns their ids in
    /// order. Otherwise as `put` of one object.
    @discardableResult
    public func put(_ objects: some Collection<E>, update policy: UpsertPolicy) throws -> [Id] {
        try binding().requirePrimaryKey()
        return try put(objects, PutOptions(upsert: policy))
    }
}
