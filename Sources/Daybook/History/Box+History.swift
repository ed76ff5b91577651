import DaybookBytes
import DaybookEngine

extension Box {
    /// The versions of an object, newest first, the removed object included; none for one that
    /// never was.
    ///
    /// What a write transaction of this thread has changed so far is not in it.
    ///
    /// - Parameter limit: how many versions at most; ``History/older(limit:)`` goes on behind them.
    /// - Complexity: a read of the log near each of the versions; their rows are held.
    /// - Throws: `.entityNotRegistered`, `.closed`, `.corruption`. Versions that a compaction
    ///   dropped are not an error: see ``History/isTruncated``.
    public func history(of id: Id, limit: Int = .max) throws -> History<E> {
        let binding = try binding()
        let versions = try engine.history(of: binding.entity, id: id)
        return try History(versions, of: id, limit: limit, types)
    }

    /// The versions of an object, as `history` with a plain id.
    @_disfavoredOverload
    public func history(of id: EntityId<E>, limit: Int = .max) throws -> History<E> {
        try history(of: id.value, limit: limit)
    }

    /// The object under an id as it was at a moment; nil where it did not live then.
    ///
    /// Its relations lead to what was linked then.
    ///
    /// - Complexity: a read of the log near each version of the object since; for a type with
    ///   relations as ``Store/view(at:)``. For a date, a segment of the log is read, too.
    /// - Throws: `.historyTruncated` where a compaction dropped the state of that moment,
    ///   `.invalidArgument` for a sequence that is not there yet, `.entityNotRegistered`,
    ///   `.closed`, `.corruption`.
    public func get(_ id: Id, at moment: HistoryMoment) throws -> E? {
        let binding = try binding()
        let (row, types) = try PastRow.read(binding, id, moment, types)
        return try row.map { try binding.decode($0, as: E.self, types) }
    }

    /// The object under a typed id as it was at a moment, as `get` with a plain id.
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

    /// `get` of the past without blocking; the object is made where the caller runs.
    public nonisolated(nonsending) func get(
        _ id: Id, at moment: HistoryMoment
    ) async throws -> E? {
        let (binding, known) = (try binding(), types)
        let (row, types) = try await engine.readElsewhere {
            try PastRow.read(binding, id, moment, known)
        }
        return try row.map { try binding.decode($0, as: E.self, types) }
    }

    /// `get` of the past with a typed id, without blocking.
    @_disfavoredOverload
    public nonisolated(nonsending) func get(
        _ id: EntityId<E>, at moment: HistoryMoment
    ) async throws -> E? {
        try await get(id.value, at: moment)
    }
}

/// Reads a row of the past.
private enum PastRow {
    /// The row, and the types that its object is made by: with relations, in a version of that
    /// moment.
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
