package import DaybookBytes
package import DaybookRecords
import DaybookLog
import DaybookPages

/// The state that a replay of the log from its beginning produces.
package struct ReplayedState {
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
    package func replayedState(
        until last: UInt64 = .max, keepsIndexes: Bool = false, _ control: OperationControl
    ) throws(DaybookError) -> ReplayedState {
        let last = min(last, readableSequence)
        guard last >= historyFloor else { throw historyTruncated(last) }
        var replay = SteppedReplay(log, control, keepsIndexes: keepsIndexes)
        try replay.advance(to: last)
        return ReplayedState(
            space: replay.space,
            view: ReadView(replay.space.pinVersion(), log, holding: replay.segments),
            schema: replay.schema, sequence: replay.sequence)
    }

    func historyTruncated(_ sequence: UInt64) -> DaybookError {
        DaybookError(
            .historyTruncated,
            "The state at sequence \(sequence) is gone: a compaction dropped the versions that were"
                + " superseded before sequence \(historyFloor). Use \(historyFloor) or later.",
            details: ["sequence": String(sequence), "historyFloor": String(historyFloor)])
    }
}
