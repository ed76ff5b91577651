import DaybookBytes
import DaybookIndex
import DaybookLog

extension Engine {
    /// The rows that commits wrote: of each object that of its commit; nothing for one that was
    /// removed there. Cost: a scan from the nearest waypoint before each of the commits.
    func rows(
        written: [ReversalHistory.Object: UInt64]
    ) throws(DaybookError) -> [ReversalHistory.Object: StoredRow] {
        var found: [ReversalHistory.Object: StoredRow] = [:]
        let commits = Dictionary(grouping: written.keys) { written[$0] ?? 0 }
        for (sequence, objects) in commits.sorted(by: { $0.key < $1.key }) {
            try findRows(of: Set(objects), writtenBy: sequence, &found)
        }
        return found
    }

    private func findRows(
        of objects: Set<ReversalHistory.Object>, writtenBy sequence: UInt64,
        _ found: inout [ReversalHistory.Object: StoredRow]
    ) throws(DaybookError) {
        var scanner = try log.scan(fromSequence: sequence)
        /// What the transaction under way has written so far.
        var rows: [ReversalHistory.Object: StoredRow] = [:]
        while let frame = try scanner.next(), frame.header.firstSequence <= sequence {
            if frame.header.lastSequence < sequence { continue }
            let payload = frame.payload
            var reader = RecordReader(payload.span)
            while let record = try reader.next() {
                let object = ReversalHistory.Object(entity: record.entity, id: record.id)
                if record.kind == .commit {
                    let commit = try CommitRecord(decoding: payload.span.extracting(record.body))
                    if commit.sequence == sequence {
                        found.merge(rows) { $1 }
                        return
                    }
                    rows = [:]
                } else if record.kind == .put, objects.contains(object) {
                    rows[object] = StoredRow(
                        pending: payload.span.extracting(record.row).array, layout: record.layout,
                        id: record.id)
                }
            }
        }
    }
}
