import DaybookBytes
import DaybookRecords
import DaybookLog
import DaybookPages

/// The state that the log alone gives, folded from its beginning.
struct FoldedState {
    let space: PageSpace
    let view: ReadView
    let schema: Schema
    /// The last transaction that was folded.
    let sequence: UInt64
}

extension Engine {
    /// Folds the log from zero up to a sequence, beside the live trees. Cost: a read of the log,
    /// and memory for the trees; those of the indexes of properties only if asked for. Throws
    /// `.historyTruncated` below the history floor.
    func foldedState(
        until last: UInt64 = .max, keepsIndexes: Bool = false, _ control: OperationControl
    ) throws(DaybookError) -> FoldedState {
        let last = min(last, readableSequence)
        guard last >= historyFloor else { throw historyTruncated(last) }
        var folding = Folding(log, control, keepsIndexes: keepsIndexes)
        try folding.advance(to: last)
        return FoldedState(
            space: folding.space,
            view: ReadView(folding.space.pin(), log, holding: folding.segments),
            schema: folding.schema, sequence: folding.sequence)
    }

    func historyTruncated(_ sequence: UInt64) -> DaybookError {
        DaybookError(
            .historyTruncated,
            "The state at sequence \(sequence) is gone: a compaction dropped the versions that were"
                + " superseded before sequence \(historyFloor). Ask for \(historyFloor) or later.",
            details: ["sequence": String(sequence), "historyFloor": String(historyFloor)])
    }
}
