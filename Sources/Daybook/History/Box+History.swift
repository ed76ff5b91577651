import DaybookBytes
import DaybookEngine

extension Box {
    /// Returns the versions of an object, newest first, including those of a removed object. Empty
    /// for an object that never existed.
    ///
    /// Changes of the current write transaction are not included.
    ///
    /// - Parameters:
    ///   - id: The id of the object.
    ///   - limit: The maximum number of versions. ``History/older(limit:)`` returns the versions
    ///     before them.
    /// - Returns: The versions. Their rows are kept in memory.
    /// - Complexity: One read of the log near each version, whatever the size of its transaction;
    ///   of cached data, only headers are read. A transaction of many objects in a random order of
    ///   their ids is an exception: it is read up to the version, unless that is the newest.
    /// - Throws: `.entityNotRegistered`, `.closed`, `.corruption`. Versions that a compaction has
    ///   dropped are not an error: see ``History/isTruncated``.
    public func history(of id: Id, limit: Int = .max) throws -> History<E> {
        let binding = try binding()
        let versions = try engine.history(of: binding.entity, id: id)
        return try History(versions, of: id, limit: limit, types)
    }

    /// Returns the versions of an object. Same as `history` with a plain id.
    @_disfavoredOverload
    public func history(of id: EntityId<E>, limit: Int = .max) throws -> History<E> {
        try history(of: id.value, limit: limit)
    }

    /// Returns the object with an id as it was at a moment, or nil if it did not exist then.
    ///
    /// Its relations return the objects that were linked at that moment.
    ///
    /// - Complexity: One read of the log near each later version of the object. For a type with
    ///   relations, the cost of ``Store/view(at:)``, which keeps the last moments for the next
    ///   call. A date costs one more read of a segment of the log.
    /// - Throws: `.historyTruncated` if a compaction dropped the state of that moment,
    ///   `.invalidArgument` for a sequence that does not exist yet, `.entityNotRegistered`,
    ///   `.closed`, `.corruption`.
    public func get(_ id: Id, at moment: HistoryMoment) throws -> E? {
        let binding = try binding()
        let (row, types) = try PastRow.read(binding, id, moment, types)
        return try row.map { try binding.decode($0, as: E.self, types) }
    }

    /// Returns the object with a typed id as it was at a moment. Same as `get` with a plain id.
    @_disfavoredOverload
    public func get(_ id: EntityId<E>, at moment: HistoryMoment) throws -> E? {
        try get(id.value, at: moment)
    }

    /// `history` without blocking. Throws `CancellationError` if the task is cancelled.
    public nonisolated(nonsending) func history(
        of id: Id, limit: Int = .max
    ) async throws -> History<E> {
        let (engine, types, entity) = (engine, types, try binding().entity)
        return try await engine.readElsewhere {
            try History(
                try engine.history(of: entity, id: id), of: id, limit: limit, types)
        }
    }

    /// `history` with a typed id, without blocking.
    @_disfavoredOverload
    public nonisolated(nonsending) func history(
        of id: EntityId<E>, limit: Int = .max
    ) async throws -> History<E> {
        try await history(of: id.value, limit: limit)
    }

    /// `get` at a moment without blocking. The object is decoded in the caller's isolation.
    public nonisolated(nonsending) func get(
        _ id: Id, at moment: HistoryMoment
    ) async throws -> E? {
        let (binding, known) = (try binding(), types)
        let (row, types) = try await engine.readElsewhere {
            try PastRow.read(binding, id, moment, known)
        }
        return try row.map { try binding.decode($0, as: E.self, types) }
    }

    /// `get` at a moment with a typed id, without blocking.
    @_disfavoredOverload
    public nonisolated(nonsending) func get(
        _ id: EntityId<E>, at moment: HistoryMoment
    ) async throws -> E? {
        try await get(id.value, at: moment)
    }
}

/// Reads rows of past versions.
private enum PastRow {
    /// Returns the row, and the types with which its object is decoded. For a type with relations,
    /// these types read from a view of that moment.
    static func read(
        _ binding: EntityBinding, _ id: Id, _ moment: HistoryMoment, _ types: StoreTypes
    ) throws -> (StoredRow?, StoreTypes) {
        let engine = types.engine
        let sequence = try engine.sequence(at: try moment.point)
        guard binding.hasRelations else {
            return (try engine.row(binding.entity, id, at: sequence), types)
        }
        let view = try engine.view(at: sequence)
        return (try view.row(binding.entity, id), types.reading(in: view))
    }
}
