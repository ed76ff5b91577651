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
    /// that is not an undo; for `.redo`, an undo after the author's last other change. Ignores
    /// commits that were undone already. Nil if there is no such commit above ``historyFloor``.
    ///
    /// Cost: for the first call, a read of the log from its end back to that commit, in growing
    /// steps. Later calls read the commits since the last one; if one of these belongs to the
    /// author or undoes another commit, also back to the result, but at most to the author's first
    /// commit. Throws `.closed` and `.corruption`.
    package func lastCommit(
        by author: String, for step: UndoStep
    ) throws(DaybookError) -> UInt64? {
        try requireOpen()
        let last = log.lastSequence
        if let answer = lastCommits.answer(for: author, step),
            try !concerns(author, after: answer.through, through: last)
        {
            lastCommits.keep(
                LastCommits.Answer(through: last, sequence: answer.sequence), for: author, step)
            return answer.sequence.flatMap { $0 > historyFloor ? $0 : nil }
        }
        return try search(for: author, step, through: last)
    }

    /// Whether one of the commits after `sequence` may change what the author can undo or redo.
    private func concerns(
        _ author: String, after sequence: UInt64, through last: UInt64
    ) throws(DaybookError) -> Bool {
        var lower = sequence + 1
        while lower <= last {
            let upper = min(last, lower + Self.stepCount - 1)
            let isConcerned = try commits(lower...upper).contains { commit in
                commit.metadata[UndoNote.authorKey] == author
                    || !UndoNote.targets(commit.metadata).isEmpty
            }
            if isConcerned { return true }
            lower = upper + 1
        }
        return false
    }

    private func search(
        for author: String, _ step: UndoStep, through last: UInt64
    ) throws(DaybookError) -> UInt64? {
        var undone = SequenceRanges()
        var upper = last
        var length = Self.stepCount
        /// The author's earliest commit that was read.
        var earliest = last + 1
        let floor = max(historyFloor, lastCommits.start(of: author))
        while upper > floor {
            let lower = max(floor + 1, upper >= length ? upper - length + 1 : 1)
            for commit in try commits(lower...upper).reversed() {
                let isVoid = undone.contains(commit.sequence)
                if !isVoid { UndoNote.targets(commit.metadata).forEach { undone.insert($0) } }
                guard commit.metadata[UndoNote.authorKey] == author else { continue }
                earliest = commit.sequence
                guard !isVoid, commit.changes else { continue }
                let isUndo = UndoNote.isUndo(commit.metadata)
                let isPlain = UndoNote.targets(commit.metadata).isEmpty
                if isUndo == (step == .redo) || step == .redo && isPlain {
                    // A change of the author ends what can be redone.
                    let found = isUndo == (step == .redo) ? commit.sequence : nil
                    let answer = LastCommits.Answer(through: last, sequence: found)
                    lastCommits.keep(answer, for: author, step)
                    return found
                }
            }
            upper = lower - 1
            length = length > .max / 4 ? .max : length * 4
        }
        let answer = LastCommits.Answer(through: last, sequence: nil)
        lastCommits.keep(answer, for: author, step, start: earliest - 1)
        return nil
    }

    /// The number of commits that a search reads first.
    private static var stepCount: UInt64 { 256 }

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

    /// Whether a transaction has a record that an undo can reverse. An erasure has none.
    private struct ChangeFlag: TransactionContents {
        var isSet: Bool { hasChange && !isErasure }
        private var hasChange = false
        private var isErasure = false

        mutating func add(_ record: Record, of frame: borrowing LogScanner.Frame) {
            switch record.kind {
            case .put, .remove, .link, .unlink, .listInsert, .listRemove: hasChange = true
            case .erased: isErasure = true
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
