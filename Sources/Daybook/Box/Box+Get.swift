import DaybookBytes
import DaybookEngine

extension Box {
    /// Returns the object with an id, or nil.
    ///
    /// - Throws: `.corruption` for damaged bytes, `.entityNotRegistered`, `.closed`. A missing
    ///   object is not an error.
    /// - Complexity: one tree lookup, and the object's frame from the cache or the disk.
    public func get(_ id: Id) throws -> E? {
        let binding = try binding()
        guard let row = try engine.row(binding.entity, id) else { return nil }
        return try binding.decode(row, as: E.self, types)
    }

    /// Returns the objects with these ids, in the order of the ids, without missing ones. All come
    /// from one version.
    ///
    /// - Parameters:
    ///   - ids: the ids.
    ///   - maxCount: the highest number of objects to return; none for 0. A negative number is
    ///     `.invalidArgument`.
    public func get(_ ids: some Collection<Id>, maxCount: Int = .max) throws -> [E] {
        let binding = try binding()
        try Self.requireCount(maxCount, "maxCount")
        return try engine.readTransaction {
            var found: [E] = []
            found.reserveCapacity(min(ids.count, maxCount))
            for id in ids {
                if found.count == maxCount { break }
                guard let row = try engine.row(binding.entity, id) else { continue }
                found.append(try binding.decode(row, as: E.self, types))
            }
            return found
        }
    }

    /// Returns the objects with these ids, by id, without missing ones. All come from one version.
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

    /// Returns all objects, in the order of their ids. Prefer ``forEach(_:)`` if they need not be
    /// in memory at once.
    public func all() throws -> [E] {
        var objects: [E] = []
        objects.reserveCapacity(try count())
        try visit { object in
            objects.append(object)
            return true
        }
        return objects
    }

    /// Returns whether there is an object with the id. Cost: one tree lookup.
    public func contains(_ id: Id) throws -> Bool {
        try engine.contains(try binding().entity, id)
    }

    /// Returns whether there is an object with each of the ids, in one version.
    public func contains(_ ids: some Collection<Id>) throws -> Bool {
        let binding = try binding()
        return try engine.readTransaction {
            try ids.allSatisfy { try engine.contains(binding.entity, $0) }
        }
    }

    /// Returns the number of objects, at most `limit`; 0 for a limit of 0. A negative limit is
    /// `.invalidArgument`. Cost: O(1); inside a write transaction, a read of its changes since the
    /// last count.
    public func count(limit: Int = .max) throws -> Int {
        try Self.requireCount(limit, "limit")
        return min(limit, try engine.count(try binding().entity))
    }

    /// Throws `.invalidArgument` for a negative number of objects.
    static func requireCount(_ count: Int, _ name: String) throws(DaybookError) {
        guard count < 0 else { return }
        throw DaybookError(
            .invalidArgument,
            "The \(name) is \(count). It must not be negative; 0 means none.",
            details: [name: String(count)])
    }

    /// Returns whether there are no objects. Cost: as `count`.
    public func isEmpty() throws -> Bool { try count() == 0 }
}
