import DaybookBytes
import DaybookRecords

// Lookups of queries in a transaction. Its changes are in no index yet.
extension PendingChanges {
    /// The objects of an entity that the transaction puts with keys in `lower..<upper` of an index,
    /// and possibly other changed objects.
    ///
    /// Cost: O(operations since the last call), and a binary search; O(changes) for an index of
    /// words.
    mutating func changedIds(
        _ entity: UInt32, in index: IndexPlan.Index, from lower: [UInt8], before upper: [UInt8]?
    ) throws(DaybookError) -> [UInt64] {
        guard index.form != .text, let plan = keyReaders[entity]?.plan else {
            return changedIds(entity)
        }
        // Removed from the dictionary meanwhile, so that the value is never copied.
        var keys = queriedKeys.removeValue(forKey: index.indexID) ?? PendingKeys()
        var reader = keyReaders[entity] ?? KeyReader(plan)
        defer { keyReaders[entity] = reader }
        let look = layoutLookUp
        for place in keys.operationCount..<operations.count {
            let operation = operations[place]
            guard operation.kind == .put, operation.entity == entity, !operation.isDead else {
                continue
            }
            let row = bytes.span.extracting(operation.bytes)
            for key in try reader.keys(of: row, layout: operation.layout, in: [index], look) {
                let isHashed = index.form == .hashed
                keys.add(
                    isHashed ? PendingKeys.key(ofHash: key.hash) : key.bytes, operation.id)
            }
        }
        keys.catchUp(with: operations.count)
        queriedKeys[index.indexID] = keys
        return keys.ids(from: lower, before: upper)
    }

    /// Whether the transaction puts or removes any object of an entity.
    func hasChanged(_ entity: UInt32) -> Bool { objects.hasAny(entity) }
}

extension PendingKeys {
    /// The key that represents a hash.
    static func key(ofHash hash: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: hash >> (56 - 8 * UInt64($0))) }
    }
}
