import DaybookBytes
import DaybookRecords
import DaybookLog

extension Engine {
    /// Undoes a range of commits by appending their inverse in one transaction: the current write
    /// transaction of this thread, or a new one. The undo of an undo is a redo.
    ///
    /// The metadata of the transaction gets the cause `undo:` or `redo:` and the commits: see
    /// ``UndoNote``. If there is nothing to undo, the method writes nothing.
    ///
    /// Cost: a read of the log from the first of the commits, which does not block writers, and the
    /// inverse operations. Throws `.conflict` (see ``Undo/run()``), `.historyTruncated` and
    /// `.invalidArgument`, also for an erasure; `.uniqueViolation` or `.relationDenied` if
    /// overwriting breaks a rule; and the errors of every write. After an error, nothing is
    /// changed.
    @discardableResult
    package func undo(
        _ range: ClosedRange<UInt64>, conflicts policy: UndoPolicy = .refuse,
        metadata: [String: String] = [:]
    ) throws -> UndoResult {
        var isInside = false
        if case .write? = try TransactionContext.role(of: self) { isInside = true }
        return try undo(
            try readForUndo(range), conflicts: policy, metadata: metadata, isInside: isInside)
    }

    /// ``undo(_:conflicts:metadata:)`` for `async` callers.
    package func undoElsewhere(
        _ range: ClosedRange<UInt64>, conflicts policy: UndoPolicy = .refuse,
        metadata: [String: String] = [:]
    ) async throws -> UndoResult {
        let history = try await readElsewhere { try self.readForUndo(range) }
        return try await write { _ in
            try self.undo(history, conflicts: policy, metadata: metadata, isInside: false)
        }
    }

    private func readForUndo(_ range: ClosedRange<UInt64>) throws -> UndoHistory {
        try requireWritable()
        let erasure = trees.withLock { $0.applied.erasures.keys.filter(range.contains).min() }
        if let erasure { throw Self.isErasure(erasure) }
        var history = try UndoHistory(self, range)
        try history.catchUp()
        return history
    }

    private static func isErasure(_ sequence: UInt64) -> DaybookError {
        DaybookError(
            .invalidArgument,
            "Commit \(sequence) erased objects or values, so it cannot be undone: their versions"
                + " are gone. Undo the commits before and after it separately.",
            details: ["sequence": String(sequence)])
    }

    /// - Parameter isInside: whether the undo is part of a larger transaction.
    private func undo(
        _ history: UndoHistory, conflicts policy: UndoPolicy, metadata: [String: String],
        isInside: Bool
    ) throws -> UndoResult {
        let range = history.range
        return try operate { transaction in
            var history = history
            try history.catchUp()
            var reversal = Undo(history, policy, transaction)
            var report = try reversal.run()
            guard report.changesAnything else { return report }
            try transaction.noted.add(ambient: self.options.ambientMetadata(), metadata)
            UndoNote.note(
                range, isRedo: history.isOfUndo, isWhole: !isInside && report.conflicts.isEmpty,
                in: &transaction.noted)
            report.sequence = self.log.lastSequence + 1
            return report
        }
    }
}

extension UndoResult {
    var changesAnything: Bool {
        changedCount + restoredCount + removedCount + linkCount > 0
    }
}
