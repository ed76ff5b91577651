import DaybookBytes
import DaybookRecords

extension WriteTransaction {
    /// Removes objects, also with the effects of the delete rules, and adds the records of the
    /// erasure of all removed objects. Returns these records.
    ///
    /// Each erased object gets a tombstone, also one that was removed before: the tombstone hides
    /// the older versions while they leave the log. Ids without a record in the store are skipped.
    /// Throws `.relationDenied`, and `.invalidArgument` for an entity of events.
    func erase(_ entity: UInt32, _ ids: [UInt64]) throws(DaybookError) -> [ErasedRecord] {
        _ = try changes.remove(entity, ids)
        try changes.removeOrphans()
        for id in Set(ids).sorted() where changes.lastOperation(entity, id) == nil {
            guard try changes.baseEntry(entity, id) != nil else { continue }
            changes.add(PendingOperation(kind: .remove, entity: entity, id: id))
        }
        var erased: [UInt32: [UInt64]] = [:]
        for index in changes.operations.indices {
            let operation = changes.operations[index]
            guard operation.kind == .remove, !operation.isDead else { continue }
            changes.operations[index].isErasure = true
            erased[operation.entity, default: []].append(operation.id)
        }
        return note(
            erased.sorted { $0.key < $1.key }.map { entity, ids in
                ErasedRecord(entity: entity, objects: .ids(ids.sorted()))
            })
    }

    /// Clears properties of objects and adds the record of the erasure of their earlier values.
    /// Returns the record; none if no id has a record in the store.
    ///
    /// Throws `.uniqueViolation` if a property is unique and another object has the cleared value.
    func erase(
        _ properties: [UInt32], of entity: UInt32, _ ids: [UInt64]
    ) throws(DaybookError) -> [ErasedRecord] {
        guard let current = changes.engine.schemas.schema.currentLayout(ofEntity: entity) else {
            return []
        }
        let layout = RowLayout(current)
        let cleared = Set(properties)
        changes.putsWholeRows = true
        defer { changes.putsWholeRows = false }
        var erased: [UInt64] = []
        for id in Set(ids).sorted() {
            guard try changes.baseEntry(entity, id) != nil else { continue }
            erased.append(id)
            guard let stored = try changes.row(entity, id) else { continue }
            var row = stored.bytes.array
            if stored.layout != current.layoutID {
                let old = try changes.engine.schemas.rowLayout(stored.layout)
                row = try RowTranslation(from: old, to: layout).translate(row.span)
            }
            let rest = try layout.clearing(row.span, cleared)
            guard rest != row else { continue }
            try changes.put(entity, id, layout: current.layoutID, row: rest.span)
        }
        guard !erased.isEmpty else { return [] }
        return note([
            ErasedRecord(entity: entity, properties: properties.sorted(), objects: .ids(erased))
        ])
    }

    private func note(_ erased: [ErasedRecord]) -> [ErasedRecord] {
        for record in erased { note(record) }
        return erased
    }
}
