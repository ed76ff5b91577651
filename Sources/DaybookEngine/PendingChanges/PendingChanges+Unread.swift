import DaybookBytes
import DaybookRecords

// Objects that indexes lack because their rows could not be read. A disk that failed once may work
// now, so the rows are read again before an error is thrown.
extension PendingChanges {
    /// The object that has a key, among the unchanged objects that a unique index lacks. Throws
    /// `.corruption` or `.inputOutput` at the first object whose row still cannot be read, because
    /// it may have the key; the object with the id `id` does not count.
    ///
    /// Cost: reads these rows once per transaction; then compares each object's key.
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

    /// The keys of such an object in all indexes of its entity; nil if it does not exist.
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

    /// Adds the entries of the objects that were readable this time to `changes`. After the commit,
    /// the indexes contain them.
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
