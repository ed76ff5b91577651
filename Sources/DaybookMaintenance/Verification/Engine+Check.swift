package import DaybookBytes
package import DaybookEngine
import DaybookRecords

/// The comparison of the replayed log with the live state.
package struct ReplayCheck: Sendable, Equatable {
    /// The last transaction of both.
    package var sequence: UInt64
    /// The hash of the state that a replay of the whole log produces.
    package var foldedHash: UInt64
    /// The hash of the live state: snapshot and tail.
    package var liveHash: UInt64

    /// Whether the indexes of properties are equal in both states.
    package var hasEqualIndexes = true

    package var isEqual: Bool { foldedHash == liveHash && hasEqualIndexes }
}

extension Engine {
    /// Replays the whole log and compares the result with the live state, rows included. The store
    /// must have no active writers. Cost: three reads of the whole log, and memory for its trees.
    /// Throws `.corruption`, `.interrupted`.
    package func checkReplay(
        _ control: OperationControl = OperationControl()
    ) throws(DaybookError) -> ReplayCheck {
        try requireOpen()
        return try withoutRelocation { () throws(DaybookError) in
            let liveHash = try liveHash(control.stage(0, 0.3))
            let replayed = try replayedState(keepsIndexes: true, control.stage(0.3, 0.7))
            let trees = replayed.view.hold()
            defer { withExtendedLifetime(trees) {} }
            let rows = try log.rows(of: trees.reader, control.stage(0.7, 1))
            let live = try view(until: nil)
            let difference = try live.reading { reader throws(DaybookError) in
                try IndexComparison.firstDifference(
                    reader, trees.reader, schema: replayed.schema)
            }
            return ReplayCheck(
                sequence: replayed.sequence,
                foldedHash: try StateHash.compute(
                    trees.reader, schema: replayed.schema, rows: rows),
                liveHash: liveHash, hasEqualIndexes: difference == nil)
        }
    }
}
