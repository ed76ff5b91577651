package import DaybookBytes
import DaybookIndex

/// The fold of the log held against the state that the store opened with.
package struct FoldCheck: Sendable, Equatable {
    /// The last transaction of both.
    package var sequence: UInt64
    /// The hash of the state that the log gives when it is folded from zero.
    package var foldedHash: UInt64
    /// The hash of the state that readers see: snapshot and tail.
    package var liveHash: UInt64

    package var isEqual: Bool { foldedHash == liveHash }
}

extension Engine {
    /// Folds the log from zero and compares the outcome with what readers see. The store must be at
    /// rest: opened read-only, or without writers. Cost: a read of the whole log, and memory for
    /// its trees.
    package func checkFold(
        _ control: OperationControl = OperationControl()
    ) throws(DaybookError) -> FoldCheck {
        try requireOpen()
        let liveHash = try stateHash()
        let folded = try foldedState(control)
        return FoldCheck(
            sequence: folded.sequence, foldedHash: try folded.hash(), liveHash: liveHash)
    }
}
