import DaybookBytes
import DaybookLog
import DaybookPages

/// The two versions that a compaction compares the log with.
struct CompactionStates {
    /// The newest state. It contains all records of the segments that are rewritten.
    let newest: ReadView
    /// The state at the floor; the newest one if all history is kept, which does not use it.
    let past: ReadView
    /// The sequence up to which only the records of `past` are kept; 0 if all records are kept.
    let floor: UInt64
    /// The last sequence of the segments that are rewritten.
    let last: UInt64

    var filter: LiveRecordFilter {
        LiveRecordFilter(
            floor: floor, past: past, newest: newest, lastSequence: last)
    }
}

extension Engine {
    /// Pins the versions that decide which records of the segments up to `last` are kept.
    ///
    /// Cost: for `.since`, a past view. Throws its errors, and `.interrupted` if the last commits
    /// of the segments are not visible.
    func states(
        for policy: HistoryPolicy, last: UInt64, _ control: OperationControl
    ) throws(DaybookError) -> CompactionStates {
        var newest = ReadView(slot.pinVersion(), log)
        if try newest.sequence < last {
            // A roll adds a segment to the manifest before its last commits become visible, both
            // under the writer lock. Once this thread has acquired the lock, they are visible.
            writer.withLock { _ in }
            newest = ReadView(slot.pinVersion(), log)
        }
        let sequence = try newest.sequence
        guard sequence >= last else { throw .interrupted }
        switch policy {
        case .all:
            return CompactionStates(newest: newest, past: newest, floor: 0, last: last)
        case .latest:
            return CompactionStates(newest: newest, past: newest, floor: sequence, last: last)
        case .since(let wanted):
            let floor = min(wanted, last)
            let past = try pastView(
                at: floor, keepsIndexes: false, OperationControl(isCancelled: control.isCancelled))
            return CompactionStates(newest: newest, past: past, floor: floor, last: last)
        }
    }
}
