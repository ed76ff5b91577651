import DaybookBytes
import DaybookEngine

extension Store {
    /// Undoes commits with a transaction of inverse changes. The history is kept, and the undo can
    /// itself be undone.
    ///
    /// Properties are restored individually: properties that only later commits changed keep their
    /// values. Inserted objects are removed, and removed objects are restored with their ids.
    /// Links, targets and positions in lists are restored. Effects of delete rules in the undone
    /// commits are undone too. Events and changes of the schema are kept.
    ///
    /// If later commits changed the same properties or links, `policy` decides what happens. Later
    /// commits that are completely undone do not count. Undoing commits one by one from the newest
    /// therefore never conflicts, and neither does redoing all of them.
    ///
    /// Inside a transaction, the undo is a part of that transaction.
    ///
    /// - Parameters:
    ///   - target: The commits to undo.
    ///   - policy: The handling of conflicts.
    ///   - metadata: The metadata of the new commit, such as the author. ``CommitMetadata/cause``
    ///     is always replaced with `undo:` and the sequence numbers.
    /// - Throws: `.conflict`, whose cause is ``UndoConflicts``; `.notFound` if the author has
    ///   nothing left to undo; `.invalidArgument` for commits that do not exist, and for erasures;
    ///   `.historyTruncated` if a compaction dropped the versions before; `.uniqueViolation` and
    ///   `.relationDenied` with ``UndoPolicy/overwrite`` only; and the errors of every write.
    ///   Nothing is changed if it throws.
    /// - Complexity: Reads the log from the first of the commits to its end, mostly before other
    ///   writers have to wait; then a put or removal for each object and link.
    @discardableResult
    public func undo(
        _ target: UndoTarget, conflicts policy: UndoPolicy = .refuse,
        metadata: CommitMetadata = CommitMetadata()
    ) throws -> UndoReport {
        try reverse(policy, metadata) { try self.commits(of: target) }
    }

    /// Redoes what an undo has undone. A redo is an undo of that undo, and conflicts with later
    /// commits in the same way. Its ``CommitMetadata/cause`` is `redo:` and the sequence number of
    /// the undo.
    ///
    /// Throws `.invalidArgument` for a commit that is not an undo; otherwise like
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

    /// ``redo(_:conflicts:metadata:)`` without blocking. Cancellation has the same effect as for
    /// `undo`.
    @discardableResult
    public func redo(
        _ target: RedoTarget, conflicts policy: UndoPolicy = .refuse,
        metadata: CommitMetadata = CommitMetadata()
    ) async throws -> UndoReport {
        try await reverse(policy, metadata) { try self.commits(of: target) }
    }

    /// Whether ``undo(_:conflicts:metadata:)`` of an author's last commit has a commit to undo. It
    /// may still throw `.conflict`.
    ///
    /// Cost: the first call for an author reads the log back to the commit. Later ones read the
    /// commits since the last call. Throws `.closed` and `.corruption`.
    public func canUndo(lastOf author: String) throws -> Bool {
        try engine.lastCommit(by: author, for: .undo) != nil
    }

    /// Whether ``redo(_:conflicts:metadata:)`` of an author's last undo has an undo to redo: there
    /// is one, and the author has changed nothing since. It may still throw `.conflict`.
    ///
    /// Cost and errors as for ``canUndo(lastOf:)``.
    public func canRedo(lastOf author: String) throws -> Bool {
        try engine.lastCommit(by: author, for: .redo) != nil
    }

    /// ``canUndo(lastOf:)`` without blocking.
    public func canUndo(lastOf author: String) async throws -> Bool {
        let engine = engine
        return try await engine.readElsewhere { try engine.lastCommit(by: author, for: .undo) }
            != nil
    }

    /// ``canRedo(lastOf:)`` without blocking.
    public func canRedo(lastOf author: String) async throws -> Bool {
        let engine = engine
        return try await engine.readElsewhere { try engine.lastCommit(by: author, for: .redo) }
            != nil
    }

    // MARK: Shared

    /// Undoes commits. Conflicts are reported with the names of entities and properties.
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
            .notFound, "There is no commit of '\(author)' to \(what).",
            details: ["author": author])
    }

    private static func noUndo(_ sequence: UInt64) -> DaybookError {
        DaybookError(
            .invalidArgument,
            "Commit \(sequence) is not an undo, so it cannot be redone. Use undo to revert it.",
            details: ["sequence": String(sequence)])
    }
}
