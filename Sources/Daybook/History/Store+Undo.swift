import DaybookBytes
import DaybookEngine

extension Store {
    /// Takes back what commits did, by a transaction that does the inverse: history goes on, and
    /// the undo can be undone.
    ///
    /// Properties are set back one by one: those that later commits changed, and the undone ones
    /// did not, stay as they are. Objects that were inserted are removed; those that were removed
    /// come back under their ids; links, targets and places in lists are set back. What the rules
    /// of relations did in the undone commits is taken back with them. Events stay, and so does
    /// what was done to the schema.
    ///
    /// Where later commits changed the same, `policy` says what happens. Commits that were undone
    /// as a whole by then do not count. So undoing one after the other from the newest on never
    /// conflicts, and neither does redoing all of it.
    ///
    /// Inside a transaction it is a part of that.
    ///
    /// - Parameters:
    ///   - target: which commits.
    ///   - policy: what becomes of conflicts.
    ///   - metadata: who undoes it and what for; ``CommitMetadata/cause`` says `undo:` and the
    ///     numbers, whatever stands here.
    /// - Throws: `.conflict`, whose cause is ``UndoConflicts``; `.notFound` where the author has
    ///   nothing left to undo; `.invalidArgument` for commits that are not there;
    ///   `.historyTruncated` where a compaction dropped what was before; `.uniqueViolation` and
    ///   `.relationDenied` with ``UndoPolicy/overwrite`` alone; and what every write throws.
    ///   Nothing is changed then.
    /// - Complexity: the log from the first of the commits to its end is read, most of it before
    ///   writers have to wait; then a put or removal for each object and link.
    @discardableResult
    public func undo(
        _ target: UndoTarget, conflicts policy: UndoPolicy = .refuse,
        metadata: CommitMetadata = CommitMetadata()
    ) throws -> UndoReport {
        try reverse(policy, metadata) { try self.commits(of: target) }
    }

    /// Does again what an undo took back. It is an undo of that undo, and conflicts with later
    /// commits as that; ``CommitMetadata/cause`` says `redo:` and the number of the undo.
    ///
    /// Throws `.invalidArgument` for a commit that is no undo, and else as
    /// ``undo(_:conflicts:metadata:)``.
    @discardableResult
    public func redo(
        _ target: RedoTarget, conflicts policy: UndoPolicy = .refuse,
        metadata: CommitMetadata = CommitMetadata()
    ) throws -> UndoReport {
        try reverse(policy, metadata) { try self.commits(of: target) }
    }

    /// ``undo(_:conflicts:metadata:)`` without blocking. If the task is cancelled, it throws
    /// `CancellationError` and changes nothing, or completes and returns normally.
    @discardableResult
    public func undo(
        _ target: UndoTarget, conflicts policy: UndoPolicy = .refuse,
        metadata: CommitMetadata = CommitMetadata()
    ) async throws -> UndoReport {
        try await reverse(policy, metadata) { try self.commits(of: target) }
    }

    /// ``redo(_:conflicts:metadata:)`` without blocking. A cancelled task is treated as by `undo`.
    @discardableResult
    public func redo(
        _ target: RedoTarget, conflicts policy: UndoPolicy = .refuse,
        metadata: CommitMetadata = CommitMetadata()
    ) async throws -> UndoReport {
        try await reverse(policy, metadata) { try self.commits(of: target) }
    }

    // MARK: Both

    /// Takes commits back, and tells what stood in the way in names that people know.
    private func reverse(
        _ policy: UndoPolicy, _ metadata: CommitMetadata,
        _ commits: () throws -> ClosedRange<UInt64>
    ) throws -> UndoReport {
        let range = try commits()
        do {
            let report = try engine.undo(
                range, conflicts: policy, metadata: metadata.pairs)
            return UndoReport(report, engine.schemas.schema)
        } catch {
            throw named(error)
        }
    }

    private nonisolated(nonsending) func reverse(
        _ policy: UndoPolicy, _ metadata: CommitMetadata,
        _ commits: @escaping @Sendable () throws -> ClosedRange<UInt64>
    ) async throws -> UndoReport {
        let range = try await engine.readElsewhere(commits)
        do {
            let report = try await engine.undoElsewhere(
                range, conflicts: policy, metadata: metadata.pairs)
            return UndoReport(report, engine.schemas.schema)
        } catch {
            throw named(error)
        }
    }

    private func commits(of target: UndoTarget) throws -> ClosedRange<UInt64> {
        switch target {
        case .commit(let sequence): return sequence...sequence
        case .range(let range): return range
        case .lastOf(let author):
            guard let sequence = try engine.lastCommit(by: author, for: .undo) else {
                throw Self.nothingLeft(author, "undo")
            }
            return sequence...sequence
        }
    }

    private func commits(of target: RedoTarget) throws -> ClosedRange<UInt64> {
        switch target {
        case .undo(let sequence):
            guard try engine.isUndo(sequence) else { throw Self.noUndo(sequence) }
            return sequence...sequence
        case .lastOf(let author):
            guard let sequence = try engine.lastCommit(by: author, for: .redo) else {
                throw Self.nothingLeft(author, "redo")
            }
            return sequence...sequence
        }
    }

    private func named(_ error: any Error) -> any Error {
        guard let error = error as? DaybookError, let found = error.cause as? UndoObstacles
        else { return error }
        let schema = engine.schemas.schema
        return DaybookError(
            error.code, error.message,
            cause: UndoConflicts(
                conflicts: found.conflicts.map { UndoConflict($0, schema) }),
            details: error.details)
    }

    private static func nothingLeft(_ author: String, _ what: String) -> DaybookError {
        DaybookError(
            .notFound, "There is nothing of '\(author)' left to \(what).",
            details: ["author": author])
    }

    private static func noUndo(_ sequence: UInt64) -> DaybookError {
        DaybookError(
            .invalidArgument,
            "Commit \(sequence) is no undo, so there is nothing to redo. To take it back, undo it.",
            details: ["sequence": String(sequence)])
    }
}
