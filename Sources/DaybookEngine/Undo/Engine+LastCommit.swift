package import DaybookBytes
import DaybookRecords
import DaybookLog

/// What an author wants back.
package enum UndoStep: Sendable {
    /// The last thing that they did.
    case undo
    /// The last thing that they undid.
    case redo
}

extension Engine {
    /// The last commit of an author that an undo or redo takes back: not one that was taken back
    /// already, and for an undo, no undo. Nil where there is none above ``historyFloor``.
    ///
    /// Cost: a read of the log from its end back to that commit, in growing steps. Throws
    /// `.closed`, `.corruption`.
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

    /// Whether a commit is an undo. Throws `.invalidArgument` for one that is not there.
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
        /// Whether it did anything that can be taken back.
        var changes: Bool
    }

    private func commits(_ range: ClosedRange<UInt64>) throws(DaybookError) -> [Commit] {
        var found: [Commit] = []
        var changes = false
        var scanner = try log.scan(fromSequence: range.lowerBound)
        while let frame = try scanner.next(), frame.header.firstSequence <= range.upperBound {
            if frame.header.lastSequence < range.lowerBound { continue }
            let payload = frame.payload
            var reader = RecordReader(payload.span)
            while let record = try reader.next() {
                switch record.kind {
                case .commit:
                    let commit = try CommitRecord(decoding: payload.span.extracting(record.body))
                    if range.contains(commit.sequence) {
                        found.append(
                            Commit(
                                sequence: commit.sequence, metadata: commit.metadata,
                                changes: changes))
                    }
                    changes = false
                case .put, .remove, .link, .unlink, .listInsert, .listRemove: changes = true
                case .event, .schema, .compacted: break
                }
            }
        }
        return found
    }
}
