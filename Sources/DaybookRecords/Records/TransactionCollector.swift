package import DaybookBytes

/// Gathers the records of a log's payloads into whole transactions.
package struct TransactionCollector {
    /// A transaction as the log has it.
    package struct Transaction: Sendable {
        package var commit: CommitRecord
        package var changes: [IndexChange]
        /// Layouts that it added to the schema.
        package var layouts: [EntityLayout]
        /// What a compaction noted in it.
        package var compacted: CompactedRecord?
    }

    private var changes: [IndexChange] = []
    private var layouts: [EntityLayout] = []
    private var compacted: CompactedRecord?

    package init() {}

    /// Reads one payload; `location` tells the place of a record in the log from its offset in the
    /// payload, and `each` gets every transaction that ends there.
    package mutating func read(
        _ payload: Span<UInt8>, location: (Int) throws(DaybookError) -> UInt64,
        each: (Transaction) throws(DaybookError) -> Void
    ) throws(DaybookError) {
        var reader = RecordReader(payload)
        while let record = try reader.next() {
            switch record.kind {
            case .put:
                changes.append(
                    .put(
                        entity: record.entity, id: record.id, location: try location(record.offset))
                )
            case .remove:
                changes.append(
                    .remove(
                        entity: record.entity, id: record.id, location: try location(record.offset))
                )
            case .event:
                changes.append(.reserve(entity: record.entity, nextId: record.id + 1))
            case .link:
                changes.append(
                    .link(relation: record.relation, source: record.source, target: record.target))
            case .unlink:
                changes.append(
                    .unlink(relation: record.relation, source: record.source, target: record.target)
                )
            case .listInsert:
                changes.append(.listInsert(ListEntry(record, in: payload)))
            case .listRemove:
                changes.append(.listRemove(ListEntry(record, in: payload)))
            case .schema:
                layouts.append(try EntityLayout(decoding: payload.extracting(record.body)))
            case .compacted:
                let noted = try CompactedRecord(decoding: payload.extracting(record.body))
                for (entity, nextId) in noted.nextIds.sorted(by: { $0.key < $1.key }) {
                    changes.append(.reserve(entity: entity, nextId: nextId))
                }
                compacted = noted
            case .commit:
                let commit = try CommitRecord(decoding: payload.extracting(record.body))
                let transaction = Transaction(
                    commit: commit, changes: changes, layouts: layouts, compacted: compacted)
                changes.removeAll(keepingCapacity: true)
                layouts = []
                compacted = nil
                try each(transaction)
            }
        }
    }
}
