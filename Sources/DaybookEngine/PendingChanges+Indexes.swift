import DaybookBytes
import DaybookIndex
import DaybookPages

// What a transaction does to the indexes of properties, once its operations are final.
extension PendingChanges {
    /// Whether any of its entities has indexes.
    var hasIndexes: Bool { !keyReaders.isEmpty }

    /// Adds what an operation changes in the indexes of its entity to `changes`; `base` is the
    /// object's entry before the transaction. Cost: where that lives, a read of its row.
    mutating func collectKeys(
        of operation: PendingOperation, base: ObjectEntry?, into changes: inout KeyChanges?
    ) throws(DaybookError) {
        guard operation.kind == .put || operation.kind == .remove,
            let plan = keyReaders[operation.entity]?.plan
        else { return }
        let look = layoutLookUp
        var old: [IndexKey]?
        if let base, !base.isRemoved {
            let row = try StoredRow(
                base, entity: operation.entity, id: operation.id, in: engine.log)
            old = try keys(of: row.bytes, layout: row.layout, operation.entity, in: plan.indexes)
        }
        var new: [IndexKey]?
        if operation.kind == .put {
            var reader = keyReaders[operation.entity] ?? KeyReader(plan)
            defer { keyReaders[operation.entity] = reader }
            new = try reader.keys(
                of: bytes.span.extracting(operation.bytes), layout: operation.layout,
                in: plan.indexes, look)
        }
        var keys = changes.take() ?? KeyChanges()
        keys.replace(old, by: new, in: plan.indexes, id: operation.id)
        changes = keys
    }

    /// What changes in the indexes altogether. Where an entity gets a new unique index, all its
    /// objects are looked at: throws `.uniqueViolation` where two of them have the same values,
    /// `.invalidValue` where one has no primary key.
    mutating func indexUpdates(_ keys: KeyChanges?) throws(DaybookError) -> IndexUpdates {
        var updates = IndexUpdates()
        updates.keys = keys
        guard !layouts.isEmpty else { return updates }
        let known = engine.trees.withLock { $0.fold.indexes }
        for layout in layouts {
            updates.layouts.removeAll { $0.entityID == layout.entityID }
            updates.layouts.append(layout)
        }
        for layout in updates.layouts {
            guard let plan = keyReaders[layout.entityID]?.plan else { continue }
            for index in plan.uniqueIndexes where known[index.indexID] == nil {
                updates.fresh.append(
                    IndexUpdates.Fresh(
                        index: index, entity: plan.entity, entries: try entries(of: index, plan)))
            }
        }
        return updates
    }

    /// The entries of a unique index over the objects as this transaction leaves them.
    private mutating func entries(
        of index: IndexPlan.Index, _ plan: IndexPlan
    ) throws(DaybookError) -> PageSpace {
        let space = PageSpace()
        space.begin(sequence: 1)
        defer { _ = space.end() }
        for id in try ids(plan.entity) {
            guard let row = try row(plan.entity, id),
                let key = try keys(of: row.bytes, layout: row.layout, plan.entity, in: [index])
                    .first
            else { continue }
            if index.isPrimaryKey, key.hasNull {
                throw plan.invalid(index, "object \(id) has no value to be its primary key")
            }
            if key.bytes.count > IndexKey.lengthMax, !key.hasNull {
                throw plan.invalid(index, "object \(id) has a value of \(key.bytes.count) bytes")
            }
            var bytes = ByteWriter(capacity: 64)
            key.write(toUnique: true, id: id, to: &bytes)
            if let other = try space.put(index.tree, bytes: bytes.span, id) {
                throw WriteTransaction.duplicate(
                    index, plan, value: valueText(of: row.bytes, row.layout, index, plan), other, id
                )
            }
        }
        return space
    }
}
