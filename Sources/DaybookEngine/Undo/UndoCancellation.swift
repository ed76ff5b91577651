import DaybookRecords

/// Finds the later commits that were undone as a whole. Together with their undos they change
/// nothing, so they cause no conflicts.
struct UndoCancellation {
    private var undos: [(sequence: UInt64, range: ClosedRange<UInt64>)] = []
    private var first: UInt64?

    /// Records a later commit. Calls must be in the order of the log.
    mutating func note(_ commit: CommitRecord) {
        if first == nil { first = commit.sequence }
        guard let range = UndoNote.undone(commit.metadata) else { return }
        undos.append((commit.sequence, range))
    }

    /// Returns the commits that have no effect. Cost: O(log n) for each undo.
    func cancelled() -> SequenceRanges {
        var cancelled = SequenceRanges()
        guard let first else { return cancelled }
        // Starts with the newest undo, because an undo may have been undone itself.
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
