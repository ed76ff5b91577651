import DaybookRecords

/// Which later commits have been undone as a whole: they and what undid them changed nothing,
/// taken together, so they stand in nobody's way.
struct UndoCancellation {
    private var undos: [(sequence: UInt64, range: ClosedRange<UInt64>)] = []
    private var first: UInt64?

    /// Notes a commit that came later, in the order of time.
    mutating func note(_ commit: CommitRecord) {
        if first == nil { first = commit.sequence }
        guard let range = UndoNote.undone(commit.metadata) else { return }
        undos.append((commit.sequence, range))
    }

    /// The commits that count for nothing. Cost: a logarithm for each undo.
    func cancelled() -> SequenceRanges {
        var cancelled = SequenceRanges()
        guard let first else { return cancelled }
        // The newest first: what undid a commit may have been undone itself.
        for undo in undos.reversed() where !cancelled.contains(undo.sequence) {
            guard undo.range.lowerBound >= first, undo.range.upperBound < undo.sequence else {
                continue
            }
            cancelled.insert(undo.sequence...undo.sequence)
            cancelled.insert(undo.range)
        }
        return cancelled
    }
}
