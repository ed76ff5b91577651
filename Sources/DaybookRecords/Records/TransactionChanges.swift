package import DaybookBytes

/// What the records of one transaction change in the indexes and in the schema.
package struct TransactionChanges: Sendable {
    package private(set) var changes: [IndexChange] = []
    /// The layouts that the transaction adds to the schema.
    package private(set) var layouts: [EntityLayout] = []

    package init() {}

    /// Empty changes for the next transaction, with room for as many as these.
    package func emptied() -> TransactionChanges {
        var next = TransactionChanges()
        next.changes.reserveCapacity(changes.count)
        return next
    }

    /// Adds what a record of `payload` changes; `location` is the location of a put or remove in
    /// the log. Throws `.corruption`, `.formatTooNew`.
    package mutating func add(
        _ record: Record, in payload: Span<UInt8>, at location: UInt64
    ) throws(DaybookError) {
        switch record.kind {
        case .put:
            changes.append(.put(entity: record.entity, id: record.id, location: location))
        case .remove:
            changes.append(.remove(entity: record.entity, id: record.id, location: location))
        case .event:
            changes.append(.reserve(entity: record.entity, nextId: record.id + 1))
        case .link:
            changes.append(
                .link(relation: record.relation, source: record.source, target: record.target))
        case .unlink:
            changes.append(
                .unlink(relation: record.relation, source: record.source, target: record.target))
        case .listInsert:
            changes.append(.listInsert(ListEntry(record, in: payload)))
        case .listRemove:
            changes.append(.listRemove(ListEntry(record, in: payload)))
        case .schema:
            layouts.append(try EntityLayout(decoding: payload.extracting(record.body)))
        case .compacted:
            let compacted = try CompactedRecord(decoding: payload.extracting(record.body))
            for (entity, nextId) in compacted.nextIds.sorted(by: { $0.key < $1.key }) {
                changes.append(.reserve(entity: entity, nextId: nextId))
            }
        case .erased:
            let erased = try ErasedRecord(decoding: payload.extracting(record.body))
            changes.append(.erasure(isFinished: erased.isFinished))
        case .commit: break
        }
    }
}
