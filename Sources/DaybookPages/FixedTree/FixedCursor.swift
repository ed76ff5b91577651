internal import DaybookBytes

/// A cursor in a tree of fixed-size entries, for both directions.
///
/// It keeps no path. At the end of a leaf it descends again from the root to the first key of the
/// next leaf. That costs a few dozen nanoseconds per hundred entries and needs no memory.
struct FixedCursor<Layout: FixedLayout> {
    private let table: PageTable
    private let root: UInt32
    // The position is between two entries: `next` returns the entry at `index`, `previous` the one
    // before.
    private var leaf: FixedLeaf<Layout>?
    private var index = 0
    /// The lower bound of the keys in this leaf; nil at the left end.
    private var low: Layout.Key?
    /// The lower bound of the keys after this leaf; nil at the right end.
    private var high: Layout.Key?
    /// Receives the keys that ``touch(_:)`` reads, so that the compiler keeps the loads.
    private var touched: UInt8 = 0

    /// A root of 0 is an empty tree.
    init(root: UInt32, in table: PageTable) {
        self.root = root
        self.table = table
    }

    /// Moves before the first entry that is at least `key`.
    mutating func seek(_ key: Layout.Key) throws(DaybookError) {
        try approach(key)
        arrive(key)
    }

    /// The first half of ``seek(_:)``: finds the leaf and begins to read its head. Meanwhile the
    /// caller can do other work, before ``arrive(_:)`` with the same key.
    mutating func approach(_ key: Layout.Key) throws(DaybookError) {
        guard root != 0 else { return }
        try descend { inner in inner.locate(key) }
    }

    /// The second half of ``seek(_:)``.
    @inline(__always)
    mutating func arrive(_ key: Layout.Key) {
        if let leaf { index = leaf.locate(key, below: high).index } else { index = 0 }
    }

    /// Moves after the last entry.
    mutating func seekToEnd() throws(DaybookError) {
        guard root != 0 else { return }
        try descend { inner in inner.count - 1 }
        index = leaf?.count ?? 0
    }

    @inline(__always)
    mutating func next() throws(DaybookError) -> (key: Layout.Key, value: Layout.Value)? {
        guard try prepareNext(), let leaf else { return nil }
        defer { index += 1 }
        return (leaf.key(index), leaf.value(index))
    }

    @inline(__always)
    mutating func previous() throws(DaybookError) -> (key: Layout.Key, value: Layout.Value)? {
        guard try preparePrevious(), let leaf else { return nil }
        index -= 1
        return (leaf.key(index), leaf.value(index))
    }

    /// Moves past up to `limit` entries of one leaf whose keys are at most `last` and returns their
    /// range; nil at the end.
    mutating func take(
        _ limit: Int, through last: Layout.Key
    ) throws(DaybookError) -> (leaf: FixedLeaf<Layout>, range: Range<Int>)? {
        guard limit > 0, try prepareNext(), let leaf else { return nil }
        var end = leaf.count
        if leaf.key(end - 1) > last {
            let (place, isFound) = leaf.locate(last)
            end = isFound ? place + 1 : place
        }
        end = min(end, index + limit)
        guard index < end else { return nil }
        defer { index = end }
        return (leaf, index..<end)
    }

    /// Reads a key of each cache line of the next entries of the leaf, so that the processor
    /// fetches these lines together.
    @inline(__always)
    mutating func touch(_ entryCount: Int) {
        guard let leaf else { return }
        let end = min(index + entryCount, leaf.count)
        var place = index
        while place < end {
            touched &+= UInt8(truncatingIfNeeded: leaf.key(place))
            place += max(64 / Layout.leafStride, 1)
        }
    }

    /// Passes the keys up to `last` to `body`, and moves past them.
    @inline(__always)
    mutating func forEachKey(
        through last: Layout.Key, _ body: (Layout.Key) -> Void
    ) throws(DaybookError) {
        while try prepareNext(), let leaf {
            let count = leaf.count
            while index < count {
                let key = leaf.key(index)
                guard key <= last else { return }
                body(key)
                index += 1
            }
        }
    }

    /// Ensures that there is an entry at `index`; false at the end of the tree.
    @inline(__always)
    private mutating func prepareNext() throws(DaybookError) -> Bool {
        guard let leaf else { return false }
        return index < leaf.count ? true : try stepForwards()
    }

    @inline(__always)
    private mutating func preparePrevious() throws(DaybookError) -> Bool {
        guard leaf != nil else { return false }
        return index > 0 ? true : try stepBackwards()
    }

    @inline(never)
    private mutating func stepForwards() throws(DaybookError) -> Bool {
        // A leaf of a valid tree is never empty. The bounds must rise, so the loop ends for damaged
        // trees, too.
        while let start = high {
            try descend { inner in inner.locate(start) }
            if let high, high <= start { throw DamagedPages.wrongPage(root) }
            index = 0
            if let leaf, leaf.count > 0 { return true }
        }
        return false
    }

    @inline(never)
    private mutating func stepBackwards() throws(DaybookError) -> Bool {
        while let end = low {
            guard end > 0 else { return false }
            try descend { inner in inner.locate(end - 1) }
            if let low, low >= end { throw DamagedPages.wrongPage(root) }
            index = leaf?.count ?? 0
            if index > 0 { return true }
        }
        return false
    }

    private mutating func descend(
        _ choose: (FixedInner<Layout>) -> Int
    ) throws(DaybookError) {
        var page = try FixedTree<Layout>.root(root, in: table)
        var level = page.level
        var low: Layout.Key?
        var high: Layout.Key?
        while level > 0 {
            let inner = FixedInner<Layout>(page)
            let index = choose(inner)
            if index > 0 { low = inner.key(index) }
            if index + 1 < inner.count { high = inner.key(index + 1) }
            level -= 1
            page = try FixedTree<Layout>.child(inner.child(index), level: level, in: table)
        }
        leaf = FixedLeaf(page)
        self.low = low
        self.high = high
    }
}
