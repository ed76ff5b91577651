import DaybookBytes
import DaybookRecords
import DaybookLog

extension Engine {
    /// The rows that commits wrote: of each object that of its commit; nothing for one that was
    /// removed there. Cost: one walk over the frames around the commits.
    ///
    /// Throws `.corruption` where the log does not have what it names, and should: nobody may take
    /// that for an object that was not there.
    func rows(
        written: [UndoHistory.Object: UInt64]
    ) throws(DaybookError) -> [UndoHistory.Object: StoredRow] {
        let wanted = Set(
            written.map { VersionKey(entity: $0.entity, id: $0.id, sequence: $1) })
        var found: [UndoHistory.Object: StoredRow] = [:]
        let logView = log.view()
        let scan = VersionScan(log: log, logView: logView)
        var missing = wanted
        try scan.forEach(wanted) { key, record, frame in
            missing.remove(key)
            guard record.kind == .put else { return }
            // Copied: a row of many would hold a frame each.
            found[UndoHistory.Object(entity: key.entity, id: key.id)] = StoredRow(
                copying: record, of: key.sequence, in: frame.payload)
        }
        // A compaction drops the tombstones below the floor.
        for key in missing { try key.requireForgotten(logView.manifest.historyFloor) }
        return found
    }
}
