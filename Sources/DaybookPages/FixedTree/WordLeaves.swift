package import DaybookBytes

/// A leaf of a map from words. Valid as long as its reader.
package struct WordLeaf {
    package let name: PageName
    /// The range of keys that the leaf can contain.
    package let keys: ClosedRange<UInt64>
    private let leaf: FixedLeaf<WordLayout>

    init(_ number: UInt32, _ leaf: FixedLeaf<WordLayout>, _ keys: ClosedRange<UInt64>) {
        name = PageName(number, leaf.page)
        self.leaf = leaf
        self.keys = keys
    }

    /// The number of entries.
    package var count: Int { leaf.count }

    /// Copies the entries with keys in `keys` into `entries`, from index `start`, as far as they
    /// fit. Returns their number.
    package func copy(
        _ keys: ClosedRange<UInt64>, into entries: inout [WordEntry], from start: Int
    ) -> Int {
        var target = entries.mutableSpan
        var place = start
        for index in 0..<leaf.count {
            let key = leaf.key(index)
            guard place < target.count else { break }
            if !keys.contains(key) { continue }
            target[place] = WordEntry(key: key, value: leaf.value(index))
            place &+= 1
        }
        return place - start
    }
}

/// Iterates over the leaves of a map from words, in key order. Valid as long as its reader.
///
/// The parent of neighbouring leaves is looked up once. The heads of several leaves are prefetched
/// together, so that the processor waits once for all of them.
package struct WordLeaves {
    private static let touchedCount = 8

    private let table: PageTable
    private let root: UInt32
    /// The parent of the next leaf; nil before the first leaf, and if the root is a leaf.
    private var parent: FixedInner<WordLayout>?
    private var index = 0
    /// The lower bound of the keys below the parent.
    private var low: UInt64 = 0
    /// The lower bound of the keys after the parent's subtree; nil at the right end.
    private var high: UInt64?
    /// The lower bound of the next leaf after the parent's subtree; nil at the end.
    private var next: UInt64?
    /// Receives the prefetched bytes, so that the compiler keeps the loads.
    private var touched: UInt8 = 0

    init(root: UInt32, in table: PageTable, from key: UInt64) {
        self.root = root
        self.table = table
        next = root == 0 ? nil : key
    }

    /// The next leaf, or nil at the end.
    package mutating func nextLeaf() throws(DaybookError) -> WordLeaf? {
        if parent == nil || index >= parent?.count ?? 0 {
            guard let key = next else { return nil }
            if let alone = try descend(to: key) {
                next = nil
                return WordLeaf(root, alone, 0...UInt64.max)
            }
        }
        guard let parent else { return nil }
        let number = parent.child(index)
        let first = index == 0 ? low : parent.key(index)
        index += 1
        let behind = index < parent.count ? parent.key(index) : high
        if index & (Self.touchedCount - 1) == 1 { touch(parent) }
        let page = try FixedTree<WordLayout>.child(number, level: 0, in: table)
        let last = behind.map { $0 &- 1 } ?? .max
        // In damaged pages, the bounds may not rise.
        guard first <= last else { throw DamagedPages.wrongPage(number) }
        return WordLeaf(number, FixedLeaf(page), first...last)
    }

    /// Descends to the parent of the leaf that can contain a key. If the root is a leaf, returns
    /// it.
    private mutating func descend(to key: UInt64) throws(DaybookError) -> FixedLeaf<WordLayout>? {
        var page = try FixedTree<WordLayout>.root(root, in: table)
        guard page.level > 0 else { return FixedLeaf(page) }
        var level = page.level
        var low: UInt64 = 0
        var high: UInt64?
        while level > 1 {
            let inner = FixedInner<WordLayout>(page)
            let index = inner.locate(key)
            if index > 0 { low = inner.key(index) }
            if index + 1 < inner.count { high = inner.key(index + 1) }
            level -= 1
            page = try FixedTree<WordLayout>.child(inner.child(index), level: level, in: table)
        }
        // The bounds must rise, so the loop ends for damaged trees, too.
        if let high, high <= key { throw DamagedPages.wrongPage(root) }
        let inner = FixedInner<WordLayout>(page)
        guard inner.count > 0 else { throw DamagedPages.wrongPage(root) }
        parent = inner
        index = inner.locate(key)
        self.low = low
        self.high = high
        next = high
        return nil
    }

    /// Prefetches the heads of the leaf before ``index`` and of the leaves after it.
    private mutating func touch(_ parent: FixedInner<WordLayout>) {
        for place in index - 1..<min(index - 1 + Self.touchedCount, parent.count) {
            if let page = table.residentPage(parent.child(place)) { touched &+= page.kind }
        }
    }
}

extension PageReader {
    /// The leaves of a map from words, from the leaf that can contain `key`.
    package func leaves(
        _ tree: TreeID, from key: UInt64 = 0
    ) throws(DaybookError) -> WordLeaves {
        WordLeaves(root: try root(of: tree, .words) ?? 0, in: table, from: key)
    }
}
