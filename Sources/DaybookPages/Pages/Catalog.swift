internal import DaybookBytes

/// Reads the catalog: a map from words, tree id → ``TreeRecord``. No other tree refers to it.
enum Catalog {
    @inline(__always)
    static func record(
        of tree: TreeID, _ root: UInt32, in table: PageTable
    ) throws(DaybookError) -> TreeRecord? {
        guard root != 0 else { return nil }
        let value = try FixedTree<WordLayout>.value(of: UInt64(tree), below: root, in: table)
        guard let value else { return nil }
        return try TreeRecord(value, tree: tree)
    }

    static func treeIDs(_ root: UInt32, in table: PageTable) throws(DaybookError) -> [TreeID] {
        guard root != 0 else { return [] }
        var cursor = FixedCursor<WordLayout>(root: root, in: table)
        try cursor.seek(0)
        var trees: [TreeID] = []
        while let entry = try cursor.next() { trees.append(UInt32(truncatingIfNeeded: entry.key)) }
        return trees
    }
}
