package import DaybookBytes
package import DaybookRecords
import DaybookPages

// Lookups in indexes.
extension QueryAccess {
    /// The usable indexes of an entity: the completely built indexes of this version. Objects that
    /// an index still lacks are in ``unlisted(_:in:)``.
    ///
    /// Empty in a transaction that changes the schema. Cost: two tree lookups per index.
    ///
    /// - Parameter property: the first property of the indexes; nil for any.
    package func indexes(
        of entity: UInt32, over property: UInt32? = nil
    ) throws(DaybookError) -> [IndexPlan.Index] {
        guard let plan = schemas.traits(of: entity).plan else { return [] }
        let wanted = plan.indexes.filter {
            property == nil || $0.definition.propertyIDs.first == property
        }
        guard !wanted.isEmpty else { return [] }
        guard transaction?.changes.layouts.isEmpty ?? true else { return [] }
        return try reading { reader throws(DaybookError) in
            var indexes: [IndexPlan.Index] = []
            for index in wanted where try reader.isBuilt(index, of: entity) {
                // Loads these pages now, in case other pages prove to be damaged later.
                _ = try reader.unreadObject(ofIndex: index.indexID)
                indexes.append(index)
            }
            return indexes
        }
    }

    /// The objects whose entries in an index may be wrong or missing, ascending: objects whose rows
    /// could not be read when the index was built, and objects that the running transaction has
    /// changed. The caller must remove them from the index's results and evaluate the objects
    /// themselves.
    ///
    /// Cost: a tree lookup if there are none; O(changes) in a transaction.
    package func unlisted(
        _ entity: UInt32, in index: IndexPlan.Index
    ) throws(DaybookError) -> [UInt64] {
        var ids = try unread(index)
        ids.formUnion(transaction?.changes.changedIds(entity) ?? [])
        return ids.sorted()
    }

    /// The objects of ``unlisted(_:in:)`` that may have keys in `lower..<upper`, ascending. In an
    /// index of hashes, a key is ``key(ofHash:)``.
    ///
    /// Cost: as ``unlisted(_:in:)``, but in a transaction O(changes since the last call).
    package func unlisted(
        _ entity: UInt32, in index: IndexPlan.Index, from lower: [UInt8], before upper: [UInt8]?
    ) throws(DaybookError) -> [UInt64] {
        var ids = try unread(index)
        let changed = try transaction?.changes.changedIds(
            entity, in: index, from: lower, before: upper)
        ids.formUnion(changed ?? [])
        return ids.sorted()
    }

    /// The key that represents a hash in ``unlisted(_:in:from:before:)``.
    package static func key(ofHash hash: UInt64) -> [UInt8] { PendingKeys.key(ofHash: hash) }

    /// Whether the entries of an index are complete and correct for all objects. Cost: a tree
    /// lookup.
    package func isTruthful(
        _ index: IndexPlan.Index, of entity: UInt32
    ) throws(DaybookError) -> Bool {
        if transaction?.changes.hasChanged(entity) ?? false { return false }
        return try unread(index).isEmpty
    }

    /// Filters the ids that an index returned: removes objects of ``unlisted(_:in:)``.
    package func listed(
        _ ids: [UInt64], of entity: UInt32, in index: IndexPlan.Index
    ) throws(DaybookError) -> [UInt64] {
        let unread = try unread(index)
        let listed = unread.isEmpty ? ids : ids.filter { !unread.contains($0) }
        guard let transaction else { return listed }
        return listed.filter { !transaction.changes.hasChanged(entity, $0) }
    }

    /// The objects that an index lacks because their rows could not be read.
    private func unread(_ index: IndexPlan.Index) throws(DaybookError) -> Set<UInt64> {
        var ids = try reading { reader throws(DaybookError) in try reader.unread(index) }
        // The next lookup may use the rebuilt trees.
        if let mended = treesRebuiltSoFar { ids.formUnion(try mended.unread(index)) }
        return ids
    }

    /// The number of entries of an ordered index with keys in `lower..<upper`, at most `limit`.
    /// Cost: a few ns for each page of entries.
    package func count(
        _ index: IndexPlan.Index, from lower: [UInt8], before upper: [UInt8]?, limit: Int = .max
    ) throws(DaybookError) -> Int {
        try asking(index) { reader throws(DaybookError) in
            var cursor = try reader.bytes(index.tree, from: lower)
            return try cursor.count(before: upper, limit: limit)
        }
    }

    /// Passes the ids of these keys to `body`, up to some hundreds at a time, in the order of the
    /// keys or in reverse, until it returns false. Cost: a few ns per entry.
    package func forEachId(
        _ index: IndexPlan.Index, from lower: [UInt8], before upper: [UInt8]?, isDescending: Bool,
        _ body: ([UInt64]) throws -> Bool
    ) throws {
        var walk = IndexCursor(
            self, index, from: lower, before: upper, isDescending: isDescending)
        // Few at first: a caller that needs only some ids need not pay for many.
        var limit = 32
        var ids: [UInt64] = []
        while try walk.next(into: &ids, limit: limit) > 0 {
            if try !body(ids) { return }
            ids.removeAll(keepingCapacity: true)
            limit = min(limit * 4, 512)
        }
    }

    /// The ids with a hash in an index of hashes, ascending, up to `limit`. Other values may have
    /// the same hash. Cost: a tree lookup, and a few ns per id.
    package func ids(
        _ index: IndexPlan.Index, hash: UInt64, limit: Int = .max
    ) throws(DaybookError) -> [UInt64] {
        try asking(index) { reader throws(DaybookError) in
            var ids: [UInt64] = []
            var cursor = try reader.pairs(index.tree, from: (hash, 0))
            while ids.count < limit, let pair = try cursor.next(), pair.first == hash {
                ids.append(pair.second)
            }
            return ids
        }
    }

    /// Reads an index; if its pages are damaged, reads the rebuilt index.
    func asking<Result>(
        _ index: IndexPlan.Index, _ body: (PageReader) throws(DaybookError) -> Result
    ) throws(DaybookError) -> Result {
        do throws(DaybookError) {
            return try withTrees(body)
        } catch  where error.isDamagedSnapshot {
            return try body(try rebuiltTrees(for: index, after: 0))
        }
    }

    /// The trees that replace damaged ones during an iteration over an index, after `count`
    /// entries.
    ///
    /// Throws `.corruption` if the rebuilt index lacks objects that the damaged index contained,
    /// because the caller does not know of them.
    func rebuiltTrees(
        for index: IndexPlan.Index, after count: Int
    ) throws(DaybookError) -> PageReader {
        let mended = try rebuiltTrees()
        let lacking = try mended.unread(index)
        // If the damaged tree's list cannot be read, the caller has not read it either.
        let known =
            (try? withTrees { trees throws(DaybookError) in try trees.unread(index) }) ?? lacking
        let state = try mended.get(IndexTree.indexes, UInt64(index.indexID))
        guard state?.first == IndexState.complete,
            count == 0 ? lacking.isSubset(of: known) : lacking == known
        else {
            let entity = UInt32(clamping: state?.second ?? 0)
            throw .unread(
                lacking.symmetricDifference(known).min() ?? 0, of: entity, index.indexID,
                schemas.traits(of: entity).plan)
        }
        return mended
    }
}

extension PageReader {
    /// Whether an index is built completely.
    fileprivate func isBuilt(
        _ index: IndexPlan.Index, of entity: UInt32
    ) throws(DaybookError) -> Bool {
        guard let state = try get(IndexTree.indexes, UInt64(index.indexID)) else { return false }
        return state.first == IndexState.complete && state.second == UInt64(entity)
    }

    /// The objects that an index lacks because their rows could not be read.
    fileprivate func unread(_ index: IndexPlan.Index) throws(DaybookError) -> Set<UInt64> {
        var ids: Set<UInt64> = []
        let number = UInt64(index.indexID)
        var cursor = try pairs(IndexTree.unread, from: (number, 0))
        while let pair = try cursor.next(), pair.first == number { ids.insert(pair.second) }
        return ids
    }
}
