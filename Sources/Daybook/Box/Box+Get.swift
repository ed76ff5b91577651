import DaybookEngine

extension Box {
    /// The object under an id, or nil.
    ///
    /// - Complexity: one tree walk, and the object's frame from the cache or the disk.
    /// - Throws: `.corruption` for damaged bytes, `.entityNotRegistered`, `.closed`. A missing
    ///   object is
    ///   not an error.
    public func get(_ id: Id) throws -> E? {
        let binding = try binding()
        guard let row = try engine.row(binding.entity, id) else { return nil }
        return try binding.decode(row, as: E.self, types)
    }

    /// The objects under ids, in the order of the ids, without those that are missing; at most
    /// `maxCount` of them where that is not 0. All come from one version.
    public func get(_ ids: some Collection<Id>, maxCount: Int = 0) throws -> [E] {
        let binding = try binding()
        return try engine.readTransaction {
            var found: [E] = []
            found.reserveCapacity(ids.count)
            for id in ids {
                guard let row = try engine.row(binding.entity, id) else { continue }
                found.append(try binding.decode(row, as: E.self, types))
                if maxCount > 0, found.count == maxCount { break }
            }
            return found
        }
    }

    /// The objects under ids, by id, without those that are missing. All come from one version.
    public func getAsDictionary(_ ids: some Collection<Id>) throws -> [Id: E] {
        let binding = try binding()
        return try engine.readTransaction {
            var found: [Id: E] = [:]
            for id in ids {
                guard let row = try engine.row(binding.entity, id) else { continue }
                found[id] = try binding.decode(row, as: E.self, types)
            }
            return found
        }
    }

    /// All objects, in the order of their ids. Prefer ``forEach(_:)`` where they need not be held
    /// at once.
    public func all() throws -> [E] {
        var objects: [E] = []
        objects.reserveCapacity(try count())
        try visit { object in
            objects.append(object)
            return true
        }
        return objects
    }

    /// Whether an object lives under the id. Cost: a tree walk.
    public func contains(_ id: Id) throws -> Bool {
        try engine.contains(try binding().entity, id)
    }

    /// Whether an object lives under each of the ids, in one version.
    public func contains(_ ids: some Collection<Id>) throws -> Bool {
        let binding = try binding()
        return try engine.readTransaction {
            try ids.allSatisfy { try engine.contains(binding.entity, $0) }
        }
    }

    /// Whether an object lives under each of the ids, in one version.
    public func contains(_ ids: Id...) throws -> Bool { try contains(ids) }

    /// How many objects there are; at most `limit` where that is not 0. Cost: O(1); inside a write
    /// transaction, a look at what it changed since it was asked last.
    public func count(limit: Int = 0) throws -> Int {
        let count = try engine.count(try binding().entity)
        return limit > 0 ? min(limit, count) : count
    }

    /// Whether there are no objects. Cost: as `count`.
    public func isEmpty() throws -> Bool { try count() == 0 }
}
