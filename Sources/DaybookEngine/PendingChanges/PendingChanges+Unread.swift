import DaybookBytes
import DaybookRecords

// Objects that indexes lack, for their rows could not be read. A disk that failed once may answer
// by now, so they are looked at again before anything is refused for their sake.
extension PendingChanges {
    /// The object that has a key, among those that a unique index lacks and that the transaction
    /// has not changed. Throws `.corruption` or `.inputOutput` at the first whose row still cannot
    /// be read, for the key might be its own; other than the one that is just being put.
    ///
    /// Cost: a read of their rows, once a transaction; then a comparison with each one's key.
    mutating func unreadOwner(
        _ entity: UInt32, _ index: IndexPlan.Index, _ key: IndexKey, putting id: UInt64
    ) throws(DaybookError) -> UInt64? {
        guard let reader = keyReaders[entity], !reader.unread.isEmpty,
            let place = reader.plan.indexes.firstIndex(where: { $0.indexID == index.indexID })
        else { return nil }
        let unread = engine.trees.withLock { $0.applied.indexes[index.indexID]?.unread ?? [] }
        let left = unread.filter { !hasChanged(entity, $0) }.sorted()
        for (position, other) in left.enumerated() {
            do throws(DaybookError) {
                guard let keys = try lateKeys(entity, other), keys[place] == key else { continue }
                return other
            } catch  where error.isUnreadableRow {
                if other == id { continue }
                throw .unread(
                    other, of: entity, index.indexID, reader.plan, count: left.count - position,
                    cause: error)
            }
        }
        return nil
    }

    /// The keys of such an object in all of its entity's indexes; nil where it does not live.
    private mutating func lateKeys(
        _ entity: UInt32, _ id: UInt64
    ) throws(DaybookError) -> [IndexKey]? {
        if let known = keyReaders[entity]?.lateKeys[id] { return known }
        guard let plan = keyReaders[entity]?.plan, let row = try row(entity, id) else {
            return nil
        }
        let keys = try keys(of: row.bytes, layout: row.layout, entity, in: plan.indexes)
        keyReaders[entity]?.lateKeys[id] = keys
        return keys
    }

    /// Adds the entries of those objects that could be read by now to `changes`: with the commit
    /// their indexes lack them no longer.
    func collectLateKeys(into changes: inout KeyChanges?) {
        for (entity, reader) in keyReaders where !reader.lateKeys.isEmpty {
            let states = engine.trees.withLock { $0.applied.indexes }
            let indexes = reader.plan.indexes
            for (id, keys) in reader.lateKeys where !hasChanged(entity, id) {
                let places = indexes.indices.filter {
                    states[indexes[$0].indexID]?.unread.contains(id) ?? false
                }
                let lacking = places.map { indexes[$0] }
                var all = changes.take() ?? KeyChanges()
                all.forget(id, in: lacking)
                all.replace(nil, by: places.map { keys[$0] }, in: lacking, id: id)
                changes = all
            }
        }
    }
}
