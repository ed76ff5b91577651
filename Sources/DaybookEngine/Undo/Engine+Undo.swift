import DaybookBytes
import DaybookRecords
import DaybookLog

extension Engine {
    /// Takes back what a range of commits did, by appending the inverse in one transaction: one of
    /// its own, or the one that this thread is in. Of an undo, that is a redo.
    ///
    /// Its metadata has the cause `undo:` or `redo:` and the commits: see ``UndoNote``. Where there
    /// is nothing to undo, nothing is written. Cost: a read of the log from the first of the
    /// commits on, before writers have to wait; then the inverse. Throws `.conflict` as
    /// ``Undo/run()`` says, `.historyTruncated`, `.invalidArgument`, `.uniqueViolation` or
    /// `.relationDenied` where what is overwritten breaks a rule, and what every write throws;
    /// nothing is changed then.
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
        var history = try UndoHistory(self, range)
        try history.catchUp()
        return history
    }

    /// - Parameter isInside: whether the transaction does more than this.
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
