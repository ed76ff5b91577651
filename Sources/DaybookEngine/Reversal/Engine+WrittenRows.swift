import DaybookBytes
import DaybookIndex
import DaybookLog

extension Engine {
    /// The rows that commits wrote: of each object that of its commit; nothing for one that was
    /// removed there. Cost: one walk over the frames around the commits.
    func rows(
        written: [ReversalHistory.Object: UInt64]
    ) throws(DaybookError) -> [ReversalHistory.Object: StoredRow] {
        let wanted = Set(
            written.map { VersionKey(entity: $0.entity, id: $0.id, sequence: $1) })
        var found: [ReversalHistory.Object: StoredRow] = [:]
        let search = VersionSearch(log: log, picture: log.picture())
        try search.forEach(wanted) { key, record, frame in
            guard record.kind == .put else { return }
            // Copied: a row of many would hold a frame each.
            found[ReversalHistory.Object(entity: key.entity, id: key.id)] = StoredRow(
                pending: frame.payload.span.extracting(record.row).array, layout: record.layout,
                id: record.id)
        }
        return found
    }
}
