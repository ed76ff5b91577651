package import DaybookBytes

extension PageReader {
    /// Keys that divide a map from words into about `count` parts of similar size, ascending. Each
    /// key is the first of a part; the first part starts before them. Fewer keys if the tree is
    /// small. Reads inner pages only.
    package func cuts(_ tree: TreeID, into count: Int) throws(DaybookError) -> [UInt64] {
        guard let root = try root(of: tree, .words), count > 1 else { return [] }
        var pages = [FixedInner<WordLayout>(try FixedTree<WordLayout>.root(root, in: table))]
        guard var level = pages.first?.page.level, level > 0 else { return [] }
        // The children of a page differ in size. Having more children than parts evens that out.
        while level > 1, pages.reduce(0, { $0 + $1.count }) < count * 8 {
            level -= 1
            var children: [FixedInner<WordLayout>] = []
            for page in pages {
                for index in 0..<page.count {
                    children.append(
                        FixedInner(
                            try FixedTree<WordLayout>.child(
                                page.child(index), level: level, in: table)))
                }
            }
            pages = children
        }
        var keys: [UInt64] = []
        for page in pages { for index in 0..<page.count { keys.append(page.key(index)) } }
        // The first key belongs to the first part. In damaged pages, keys may be unsorted.
        keys.removeFirst()
        let isRising = keys.indices.dropFirst().allSatisfy { keys[$0 - 1] < keys[$0] }
        if !isRising { keys = Array(Set(keys)).sorted() }
        guard keys.count >= count else { return keys }
        return (1..<count).map { keys[keys.count * $0 / count] }
    }
}
