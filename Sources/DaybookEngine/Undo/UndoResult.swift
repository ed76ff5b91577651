/// The changes that an undo made, and its conflicts, in the numbers of the log.
package struct UndoResult: Sendable {
    /// The commit that it is part of, once that is made; nil where there was nothing to undo.
    package var sequence: UInt64?
    package var undone: ClosedRange<UInt64>
    /// How many objects were set back to earlier values.
    package var changedCount = 0
    /// How many objects were put back that had been removed.
    package var restoredCount = 0
    /// How many objects were removed that had been inserted.
    package var removedCount = 0
    /// How many links were put back or taken away.
    package var linkCount = 0
    /// Events are never taken back.
    package var keptEventCount = 0
    package var conflicts: [UndoObstacle] = []
}
