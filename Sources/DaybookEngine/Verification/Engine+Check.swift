package import DaybookBytes
import DaybookRecords

/// The fold of the log held against the state that the store opened with.
package struct FoldCheck: Sendable, Equatable {
    /// The last transaction of both.
    package var sequence: UInt64
    /// The hash of the state that the log gives when it is folded from zero.
    package var foldedHash: UInt64
    /// The hash of the state that readers see: snapshot and tail.
    package var liveHash: UInt64

    /// Whether the indexes of properties lead to the same objects in both.
    package var hasEqualIndexes = true

    package var isEqual: Bool { foldedHash == liveHash && hasEqualIndexes }
}

extension Engine {
    /// Folds the log from zero and compares the outcome with what readers see, rows included. The
    /// store must be at rest: opened read-only, or without writers. Cost: three reads of the whole
    /// log, and memory for its trees. Throws `.corruption`, `.interrupted`.
    package func checkFold(
        _ control: OperationControl = OperationControl()
    ) throws(DaybookError) -> FoldCheck {
        try requireOpen()
        return try withoutRelocation { () throws(DaybookError) in
            let liveHash = try liveHash(control.stage(0, 0.3))
            let folded = try foldedState(keepsIndexes: true, control.stage(0.3, 0.7))
            let rows = try log.rows(of: folded.view.trees, control.stage(0.7, 1))
            let live = ReadView(slot.pin(), log)
            let difference = try live.reading { reader throws(DaybookError) in
                try IndexComparison.firstDifference(
                    reader, folded.view.trees, schema: folded.schema)
            }
            return FoldCheck(
                sequence: folded.sequence,
                foldedHash: try StateHash.compute(
                    folded.view.trees, schema: folded.schema, rows: rows),
                liveHash: liveHash, hasEqualIndexes: difference == nil)
        }
    }
}
