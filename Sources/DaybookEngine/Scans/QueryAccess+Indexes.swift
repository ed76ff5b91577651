package import DaybookBytes
package import DaybookRecords
import DaybookPages

// What indexes lead to.
extension QueryAccess {
    /// The indexes of an entity that can be asked: those that this version keeps and that have got
    /// to all objects. What they lack all the same is in ``unlisted(_:in:)``.
    ///
    /// None in a transaction that changes the schema. Cost: two tree walks an index.
    ///
    /// - Parameter property: which an index has to begin with; nil for any.
    package func indexes(
        of entity: UInt32, over property: UInt32? = nil
    ) throws(DaybookError) -> [IndexPlan.Index] {
        guard let plan = schemas.traits(of: entity).plan else { return [] }
        let wanted = plan.indexes.filter {
            property == nil || $0.definition.propertyIDs.first == property
        }
        guard !wanted.isEmpty else { return [] }
        let isChangingSchema = try transaction?.withChanges { !$0.layouts.isEmpty } ?? false
        guard !isChangingSchema else { return [] }
        return try reading { reader throws(DaybookError) in
            var indexes: [IndexPlan.Index] = []
            for index in wanted where try reader.isBuilt(index, of: entity) {
                // So that these pages are there should others prove to be damaged.
                _ = try reader.unreadObject(ofIndex: index.indexID)
                indexes.append(index)
            }
            return indexes
        }
    }

    /// Objects of which an index does not tell the truth, ascending: those whose rows could not be
    /// read when it got to them, and those that the running transaction has changed. Whoever asks
    /// the index drops them from what it says, and looks at the objects themselves.
    ///
    /// Cost: a tree walk where there are none; O(changes) in a transaction.
    package func unlisted(
        _ entity: UInt32, in index: IndexPlan.Index
    ) throws(DaybookError) -> [UInt64] {
        var ids = try unread(index)
        try transaction?.withChanges { changes in ids.formUnion(changes.changedIds(entity)) }
        return ids.sorted()
    }

    /// Those of them that may have keys from `lower` on and below `upper`, ascending. In an index
    /// of hashes a key is ``key(ofHash:)``.
    ///
    /// Cost: as of ``unlisted(_:in:)``, but in a transaction O(changes since it was asked last).
    package func unlisted(
        _ entity: UInt32, in index: IndexPlan.Index, from lower: [UInt8], before upper: [UInt8]?
    ) throws(DaybookError) -> [UInt64] {
        var ids = try unread(index)
        try transaction?.withChanges { changes throws(DaybookError) in
            ids.formUnion(try changes.changedIds(entity, in: index, from: lower, before: upper))
        }
        return ids.sorted()
    }

    /// What stands for a hash in ``unlisted(_:in:from:before:)``.
    package static func key(ofHash hash: UInt64) -> [UInt8] { PendingKeys.key(ofHash: hash) }

    /// Whether there is no object of which an index does not tell the truth. Cost: a tree walk.
    package func isTruthful(
        _ index: IndexPlan.Index, of entity: UInt32
    ) throws(DaybookError) -> Bool {
        if try transaction?.withChanges({ $0.hasChanged(entity) }) ?? false { return false }
        return try unread(index).isEmpty
    }

    /// Those of some ids in an index that are of objects of which it tells the truth.
    package func listed(
        _ ids: [UInt64], of entity: UInt32, in index: IndexPlan.Index
    ) throws(DaybookError) -> [UInt64] {
        let unread = try unread(index)
        let listed = unread.isEmpty ? ids : ids.filter { !unread.contains($0) }
        guard let transaction else { return listed }
        return try transaction.withChanges { changes in
            listed.filter { !changes.hasChanged(entity, $0) }
        }
    }

    /// The objects that an index lacks, for their rows could not be read.
    private func unread(_ index: IndexPlan.Index) throws(DaybookError) -> Set<UInt64> {
        var ids = try reading { reader throws(DaybookError) in try reader.unread(index) }
        // What is asked next may be answered by these.
        if let mended = try treesRebuiltSoFar { ids.formUnion(try mended.unread(index)) }
        return ids
    }

    /// How many entries of an index that is kept in order have keys from `lower` on and below
    /// `upper`; `limit` where there are more. Cost: a few ns for each page of entries.
    package func count(
        _ index: IndexPlan.Index, from lower: [UInt8], before upper: [UInt8]?, limit: Int = .max
    ) throws(DaybookError) -> Int {
        try asking(index) { reader throws(DaybookError) in
            var cursor = try reader.bytes(index.tree, from: lower)
            return try cursor.count(before: upper, limit: limit)
        }
    }

    /// Gives the ids behind those keys to `body`, some hundred at a time, in the order of the keys
    /// or in the opposite one, until that returns false. Cost: a few ns an entry.
    package func forEachId(
        _ index: IndexPlan.Index, from lower: [UInt8], before upper: [UInt8]?, isDescending: Bool,
        _ body: ([UInt64]) throws -> Bool
    ) throws {
        var walk = IndexCursor(
            self, index, from: lower, before: upper, isDescending: isDescending)
        // Few at first: who wants but some need not pay for many.
        var limit = 32
        var ids: [UInt64] = []
        while try walk.next(into: &ids, limit: limit) > 0 {
            if try !body(ids) { return }
            ids.removeAll(keepingCapacity: true)
            limit = min(limit * 4, 512)
        }
    }

    /// The ids under a hash in an index that is kept by hashes, ascending, up to `limit`: among
    /// them may be objects with other values. Cost: a tree walk, and a few ns an id.
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

    /// Asks an index, and where its pages are damaged the one that takes its place.
    private func asking<Result>(
        _ index: IndexPlan.Index, _ body: (PageReader) throws(DaybookError) -> Result
    ) throws(DaybookError) -> Result {
        do throws(DaybookError) {
            return try body(try trees)
        } catch  where error.isDamagedSnapshot {
            return try body(try rebuiltTrees(for: index, after: 0))
        }
    }

    /// The trees that take the place of damaged ones in the middle of a walk over an index, of
    /// which `count` entries were seen.
    ///
    /// Throws `.corruption` where they lack objects that the damaged ones did not: whoever asks the
    /// index does not know of them.
    func rebuiltTrees(
        for index: IndexPlan.Index, after count: Int
    ) throws(DaybookError) -> PageReader {
        let mended = try rebuiltTrees()
        let lacking = try mended.unread(index)
        // Where nobody can read what they lacked, nobody was told by them.
        let known = (try? trees.unread(index)) ?? lacking
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
    /// Whether an index has got to all objects.
    fileprivate func isBuilt(
        _ index: IndexPlan.Index, of entity: UInt32
    ) throws(DaybookError) -> Bool {
        guard let state = try get(IndexTree.indexes, UInt64(index.indexID)) else { return false }
        return state.first == IndexState.complete && state.second == UInt64(entity)
    }

    /// The objects that an index lacks, for their rows could not be read.
    fileprivate func unread(_ index: IndexPlan.Index) throws(DaybookError) -> Set<UInt64> {
        var ids: Set<UInt64> = []
        let number = UInt64(index.indexID)
        var cursor = try pairs(IndexTree.unread, from: (number, 0))
        while let pair = try cursor.next(), pair.first == number { ids.insert(pair.second) }
        return ids
    }
}
