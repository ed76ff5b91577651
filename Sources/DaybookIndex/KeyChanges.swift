package import DaybookBytes
package import DaybookPages

/// What is to be changed in the trees of indexes: entries that go, then entries that come.
package struct KeyChanges: Sendable {
    private struct Entry {
        var index: UInt32
        var isHashed: Bool
        var id: UInt64
        /// Where the bytes of the tree's key stand.
        var key: Range<Int>
    }

    private var removals: [Entry] = []
    private var insertions: [Entry] = []
    private var bytes = ByteWriter(capacity: 16)

    package init() {}

    /// An object's key in an index was `old` and is `new` from now on; nil where it had or has
    /// none.
    package mutating func replace(
        _ old: IndexKey?, by new: IndexKey?, in index: IndexPlan.Index, id: UInt64
    ) {
        guard old != new else { return }
        if let old { removals.append(entry(old, index, id)) }
        if let new { insertions.append(entry(new, index, id)) }
    }

    private mutating func entry(
        _ key: IndexKey, _ index: IndexPlan.Index, _ id: UInt64
    ) -> Entry {
        let start = bytes.count
        switch index.form {
        case .hashed: bytes.uint64(key.hash)
        case .unique, .ordered: key.write(toUnique: index.form == .unique, id: id, to: &bytes)
        }
        return Entry(
            index: index.indexID, isHashed: index.form == .hashed, id: id,
            key: start..<bytes.count)
    }

    /// Changes the trees; `isWanted` says whether an index has got as far as an object.
    package func apply(
        to space: PageSpace, where isWanted: (_ index: UInt32, _ id: UInt64) -> Bool
    ) throws(DaybookError) {
        // All that goes first: a key that one object gives up another may take.
        for entry in removals where isWanted(entry.index, entry.id) {
            let tree = IndexTree.index(entry.index)
            let key = bytes.span.extracting(entry.key)
            if entry.isHashed {
                _ = try space.remove(tree, key.loadLittleEndian(at: 0) ?? 0, entry.id)
            } else {
                _ = try space.remove(tree, bytes: key)
            }
        }
        for entry in insertions where isWanted(entry.index, entry.id) {
            let tree = IndexTree.index(entry.index)
            let key = bytes.span.extracting(entry.key)
            if entry.isHashed {
                _ = try space.insert(tree, key.loadLittleEndian(at: 0) ?? 0, entry.id)
            } else {
                _ = try space.put(tree, bytes: key, entry.id)
            }
        }
    }
}
