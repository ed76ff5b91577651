package import DaybookBytes
package import DaybookRecords
import DaybookLog
import DaybookPages

/// The state that a replay of the log from its beginning produces.
package struct FoldedState {
    let space: PageSpace
    package let view: ReadView
    package let schema: Schema
    /// The last transaction that was replayed.
    package let sequence: UInt64
}

extension Engine {
    /// Replays the log up to a sequence into trees of its own; the live trees do not change. Cost:
    /// a read of the log, and memory for the trees. `keepsIndexes` includes the indexes of
    /// properties. Throws `.historyTruncated` below the history floor.
    package func foldedState(
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
