import DaybookBytes
import DaybookRecords
import DaybookLog

extension Engine {
    /// Returns the rows that commits wrote: for each object, its row of the given commit. An object
    /// that the commit removed has no row in the result. Cost: one pass over the frames that
    /// contain the commits.
    ///
    /// Throws `.corruption` if the log lacks a record that it must contain. Such an object must not
    /// be mistaken for one that did not exist.
    func rows(
        written: [UndoHistory.Object: UInt64]
    ) throws(DaybookError) -> [UndoHistory.Object: StoredRow] {
        let wanted = written.map { VersionKey(entity: $0.entity, id: $0.id, sequence: $1) }
        var found: [UndoHistory.Object: StoredRow] = [:]
        let logView = log.view()
        let scan = VersionScan(log: log, logView: logView)
        var missing = Set(wanted)
        try scan.forEach(wanted) { place, record, frame in
            let key = wanted[place]
            missing.remove(key)
            guard record.kind == .put else { return }
            // Copies the row: a slice would retain its whole frame.
            found[UndoHistory.Object(entity: key.entity, id: key.id)] = StoredRow(
                copying: record, of: key.sequence, in: frame.payload)
        }
        // A compaction drops the tombstones up to the history floor.
        let floor = max(logView.manifest.historyFloor, lastErasure)
        for key in missing { try key.requireForgotten(floor) }
        return found
    }
}
