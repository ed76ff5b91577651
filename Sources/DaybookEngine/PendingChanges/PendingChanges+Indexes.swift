import DaybookBytes
import DaybookRecords
import DaybookPages

// The effects of a transaction's final operations on the property indexes.
extension PendingChanges {
    /// Whether any entity of the transaction has indexes.
    var hasIndexes: Bool { !keyReaders.isEmpty }

    /// Adds the index changes of an operation to `changes`; `base` is the object's entry before the
    /// transaction. Cost: reads the row of a stored object. If the row cannot be read, applying the
    /// commit scans the indexes.
    mutating func collectKeys(
        of operation: PendingOperation, base: ObjectEntry?, into changes: inout KeyChanges?
    ) throws(DaybookError) {
        guard operation.kind == .put || operation.kind == .remove,
            let plan = keyReaders[operation.entity]?.plan
        else { return }
        let look = layoutLookUp
        var old: [IndexKey]?
        var isForgotten = keyReaders[operation.entity]?.unread.contains(operation.id) ?? false
        if let base, !base.isRemoved, !isForgotten {
            do throws(DaybookError) {
                let row = try StoredRow(
                    base, entity: operation.entity, id: operation.id, in: engine.log)
                old = try keys(
                    of: row.bytes, layout: row.layout, operation.entity, in: plan.indexes)
            } catch  where error.isUnreadableRow {
                isForgotten = true
            }
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
        if isForgotten { keys.forget(operation.id, in: plan.indexes) }
        keys.replace(old, by: new, in: plan.indexes, id: operation.id)
        changes = keys
    }

    /// All index changes of the transaction. A new unique index reads all objects of its entity:
    /// throws `.uniqueViolation` if two of them have the same values, and `.invalidValue` if one
    /// has no primary key.
    mutating func indexUpdates(_ keys: KeyChanges?) throws(DaybookError) -> IndexUpdates {
        var updates = IndexUpdates()
        updates.keys = keys
        guard !layouts.isEmpty else { return updates }
        let known = engine.trees.withLock { $0.applied.indexes }
        // The newest layout of each entity.
        var entities: Set<UInt32> = []
        for layout in layouts.reversed() where entities.insert(layout.entityID).inserted {
            updates.layouts.append(layout)
        }
        updates.layouts.reverse()
        for layout in updates.layouts {
            guard let plan = keyReaders[layout.entityID]?.plan else { continue }
            for index in plan.uniqueIndexes where known[index.indexID] == nil {
                updates.fresh.append(try fresh(index, plan))
            }
        }
        return updates
    }

    /// The entries of a unique index over all objects in the state of this transaction, and the ids
    /// of damaged objects. Throws `.inputOutput` if the disk fails, because the declaration can be
    /// retried, and leaving out an object could let another object get the same value.
    private mutating func fresh(
        _ index: IndexPlan.Index, _ plan: IndexPlan
    ) throws(DaybookError) -> IndexUpdates.Fresh {
        var unread: Set<UInt64> = []
        let space = PageSpace()
        space.begin(sequence: 1)
        defer { _ = space.end() }
        for id in try ids(plan.entity) {
            var found: (row: StoredRow, key: IndexKey)?
            do throws(DaybookError) {
                found = try keyedRow(plan.entity, id, index)
            } catch  where error.isDamagedRow {
                unread.insert(id)
            }
            guard let (row, key) = found else { continue }
            if index.isPrimaryKey, key.hasNull {
                throw plan.invalid(index, "object \(id) has no value for its primary key")
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
        return IndexUpdates.Fresh(
            index: index, entity: plan.entity, entries: space, unread: unread)
    }

    /// An object's row and its key in an index.
    private mutating func keyedRow(
        _ entity: UInt32, _ id: UInt64, _ index: IndexPlan.Index
    ) throws(DaybookError) -> (StoredRow, IndexKey)? {
        guard let row = try row(entity, id) else { return nil }
        return try keys(of: row.bytes, layout: row.layout, entity, in: [index]).first.map {
            (row, $0)
        }
    }
}
