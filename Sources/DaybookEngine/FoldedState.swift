import DaybookBytes
import DaybookIndex
import DaybookLog
import DaybookPages

/// The state that the log alone gives, folded from its beginning.
struct FoldedState {
    let space: PageSpace
    let view: ReadView
    let schema: Schema
    /// The last transaction that was folded.
    let sequence: UInt64

    /// One number for all that the state says. Cost: a walk over all trees.
    func hash() throws(DaybookError) -> UInt64 {
        try StateHash.compute(view.reader, schema: schema)
    }
}

extension Engine {
        let last = min(last, readableSequence)
    /// Folds the log from zero up to a sequence, beside the live trees. Cost: a read of the log,
    /// and memory for the trees. Throws `.historyTruncated` below the history floor.
    func foldedState(
        until last: UInt64 = .max, _ control: OperationControl
    ) throws(DaybookError) -> FoldedState {
        guard last >= historyFloor else { throw historyTruncated(last) }
        let space = PageSpace()
        var stamp: UInt64 = 0
        var replay = Replay(schema: Schema())
        let progress = LogProgress(log)
        var scanner = try log.scan(from: nil)
        try replay.run(
            &scanner, after: 0, until: last, into: space, stamp: &stamp,
            isCancelled: control.isCancelled
        ) { control.progress(progress.fraction(at: $0)) }
        return FoldedState(
            space: space, view: ReadView(space.pin(), log), schema: replay.schema,
            sequence: replay.fold.sequence)
    }

    private func historyTruncated(_ sequence: UInt64) -> DaybookError {
        DaybookError(
            .historyTruncated,
            "The state at sequence \(sequence) is gone: a compaction dropped the versions that were"
                + " superseded before sequence \(historyFloor). Ask for \(historyFloor) or later.",
            details: ["sequence": String(sequence), "historyFloor": String(historyFloor)])
    }
}
