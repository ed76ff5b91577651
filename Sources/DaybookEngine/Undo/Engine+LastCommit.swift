package import DaybookBytes
import DaybookRecords
import DaybookLog

/// The kind of commit that an author reverts.
package enum UndoStep: Sendable {
    /// Reverts the author's last change.
    case undo
    /// Reverts the author's last undo.
    case redo
}

extension Engine {
    /// Returns the last commit of an author that an undo or redo reverts: for `.undo`, a commit
    /// that is not an undo; for `.redo`, an undo. Ignores commits that were undone already. Nil if
    /// there is no such commit above ``historyFloor``.
    ///
    /// Cost: a read of the log from its end back to that commit, in growing steps. Throws `.closed`
    /// and `.corruption`.
    package func lastCommit(
        by author: String, for step: UndoStep
    ) throws(DaybookError) -> UInt64? {
        try requireOpen()
        var undone = SequenceRanges()
        var upper = log.lastSequence
        var length: UInt64 = 256
        while upper > historyFloor {
            let lower = max(historyFloor + 1, upper >= length ? upper - length + 1 : 1)
            for commit in try commits(lower...upper).reversed() {
                let isVoid = undone.contains(commit.sequence)
                if !isVoid { UndoNote.targets(commit.metadata).forEach { undone.insert($0) } }
                guard !isVoid, commit.changes, commit.metadata[UndoNote.authorKey] == author else {
                    continue
                }
                if UndoNote.isUndo(commit.metadata) == (step == .redo) { return commit.sequence }
            }
            upper = lower - 1
            length = length > .max / 4 ? .max : length * 4
        }
        return nil
    }

    /// Whether a commit is an undo. Throws `.invalidArgument` if the log has no commit with this
    /// sequence.
    package func isUndo(_ sequence: UInt64) throws(DaybookError) -> Bool {
        try requireOpen()
        guard sequence <= log.lastSequence, let commit = try commits(sequence...sequence).first
        else {
            throw DaybookError(
                .invalidArgument, "There is no commit \(sequence) in the log.",
                details: ["sequence": String(sequence)])
        }
        return UndoNote.isUndo(commit.metadata)
    }

    private struct Commit {
        var sequence: UInt64
        var metadata: [String: String]
        /// Whether the commit has changes that an undo can reverse.
        var changes: Bool
    }

    /// Whether a transaction has a record that an undo can reverse.
    private struct ChangeFlag: TransactionContents {
        var isSet = false

        mutating func add(_ record: Record, of frame: borrowing LogScanner.Frame) {
            switch record.kind {
            case .put, .remove, .link, .unlink, .listInsert, .listRemove: isSet = true
            case .event, .schema, .compacted, .commit: break
            }
        }

        func emptied() -> ChangeFlag { ChangeFlag() }
    }

    private func commits(_ range: ClosedRange<UInt64>) throws(DaybookError) -> [Commit] {
        var found: [Commit] = []
        var transactions = LogTransactions(
            LogFrames(
                try log.scan(fromSequence: range.lowerBound), after: max(1, range.lowerBound) - 1,
                until: range.upperBound), ChangeFlag())
        while let transaction = try transactions.next() {
            found.append(
                Commit(
                    sequence: transaction.commit.sequence, metadata: transaction.commit.metadata,
                    changes: transaction.contents.isSet))
        }
        return found
    }
}
