import DaybookRecords

/// A running write transaction: changes in memory, on top of the newest state of the indexes.
/// Before the commit, nothing is in the log or the trees, so a rollback costs nothing.
///
/// Only the thread that holds the writer lock uses it.
package final class WriteTransaction {
    /// The largest id; the smallest is 1. The highest number stays free.
    package static let idMax = UInt64.max - 1

    /// The changes, and the reads of the state with the changes.
    package var changes: PendingChanges
    /// The metadata of the commit record.
    var noted = PendingMetadata()
    /// Callbacks that undo the callers' own records of the changes, oldest first.
    private var undos: [() -> Void] = []

    init(_ engine: Engine) { changes = PendingChanges(engine) }

    /// Whether there is nothing to commit.
    var isEmpty: Bool { changes.operations.allSatisfy(\.isDead) }

    /// Adds the record of a compaction.
    func note(_ compacted: CompactedRecord) {
        changes.append(PendingOperation(kind: .compacted, entity: 0, id: 0)) {
            compacted.encode(to: &$0)
        }
    }

    /// Adds the record of an erasure.
    func note(_ erased: ErasedRecord) {
        changes.append(PendingOperation(kind: .erased, entity: 0, id: 0)) {
            erased.encode(to: &$0)
        }
    }

    // MARK: Savepoints

    /// The state to restore if an operation on several objects fails midway.
    package struct Savepoint {
        fileprivate var operationCount: Int
        fileprivate var byteCount: Int
        fileprivate var undoCount: Int
    }

    package func savepoint() -> Savepoint {
        Savepoint(
            operationCount: changes.operations.count, byteCount: changes.bytes.count,
            undoCount: undos.count)
    }

    /// Discards all changes since `savepoint`. Assigned ids are not reused.
    package func roll(backTo savepoint: Savepoint) {
        changes.roll(backTo: savepoint.operationCount, byteCount: savepoint.byteCount)
        takeBack(to: savepoint.undoCount)
    }

    /// Registers a callback that runs if the changes so far are not committed.
    package func whenAbandoned(_ undo: @escaping () -> Void) { undos.append(undo) }

    /// Notifies callers that nothing was committed.
    func abandon() { takeBack(to: 0) }

    /// Runs the callbacks from last to first, because one may depend on an earlier one.
    private func takeBack(to count: Int) {
        while undos.count > count, let undo = undos.popLast() { undo() }
    }
}
