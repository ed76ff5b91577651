/// The changes that an undo made, and its conflicts, with the numeric identifiers of the log.
package struct UndoResult: Sendable {
    /// The commit that will contain the undo, once it is made; nil if there was nothing to undo.
    package var sequence: UInt64?
    package var undone: ClosedRange<UInt64>
    /// The number of objects that were set back to earlier values.
    package var changedCount = 0
    /// The number of removed objects that were restored.
    package var restoredCount = 0
    /// The number of inserted objects that were removed.
    package var removedCount = 0
    /// The number of links that were added or removed.
    package var linkCount = 0
    /// The number of events in the undone commits. An undo never reverts events.
    package var keptEventCount = 0
    package var conflicts: [UndoObstacle] = []
}
