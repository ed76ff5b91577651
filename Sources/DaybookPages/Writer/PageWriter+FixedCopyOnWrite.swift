internal import DaybookBytes

// Copy-on-write of the path from the root to a leaf, in a tree of fixed-size entries.
extension PageWriter {
    /// The range of keys that a leaf can contain.
    struct FixedRange<Key> {
        var low: Key
        var high: Key
        var isLeftmost: Bool
        var isRightmost: Bool
    }

    /// Descends to the leaf that can contain `key` and records the path. Changes nothing.
    @inline(__always)
    mutating func descend<Layout: FixedLayout>(
        _: Layout.Type, _ key: Layout.Key
    ) throws(DaybookError) -> FixedRange<Layout.Key> {
        var number = current.root
        var page = try FixedTree<Layout>.root(number, in: table)
        var level = page.level
        var range = FixedRange<Layout.Key>(
            low: 0, high: .max, isLeftmost: true, isRightmost: true)
        depth = 0
        while level > 0 {
            let inner = FixedInner<Layout>(page)
            let index = inner.locate(key)
            path[depth] = PathStep(number, index)
            range.low = inner.key(index)
            if index > 0 { range.isLeftmost = false }
            if index + 1 < inner.count {
                range.high = inner.key(index + 1) &- 1
                range.isRightmost = false
            }
            number = inner.child(index)
            level -= 1
            depth += 1
            page = try FixedTree<Layout>.child(number, level: level, in: table)
        }
        path[depth] = PathStep(number, 0)
        return range
    }

    /// Copies the pages on the path that cannot be changed in place. Pages below a page that was
    /// copied earlier in this transaction may still be old, but pages above a new one are new.
    @inline(__always)
    mutating func copyPath<Layout: FixedLayout>(_: Layout.Type) {
        for step in 0...depth {
            let number = path[step].page
            let page = table.knownPage(number)
            if page.birth == sequence { continue }
            let stride = step == depth ? Layout.leafStride : Layout.innerStride
            let copy = copyPage(number, page, length: PageHeader.length + page.count * stride)
            path[step].page = copy
            if step == 0 {
                current.root = copy
            } else {
                let parent = FixedInner<Layout>(table.knownPage(path[step - 1].page))
                parent.setChild(copy, at: Int(path[step - 1].index))
            }
        }
        touch()
    }

    /// Copies the first `length` bytes of a page to a new page and retires the old page.
    @inline(__always)
    mutating func copyPage(_ number: UInt32, _ page: Page, length: Int) -> UInt32 {
        let copy = allocator.take()
        let target = table.knownPage(copy)
        target.copy(from: page, at: 0, to: 0, count: length)
        target.birth = sequence
        retire(number, birth: page.birth)
        return copy
    }

    /// Remembers the leaf of a change for the next change.
    @inline(__always)
    mutating func rememberLeaf<Key: FixedWidthInteger & UnsignedInteger>(_ range: FixedRange<Key>) {
        current.leaf = path[depth].page
        current.leafSequence = sequence
        current.leafLow = UInt128(truncatingIfNeeded: range.low)
        current.leafHigh = UInt128(truncatingIfNeeded: range.high)
    }

    /// The remembered leaf, if it can contain `key`.
    @inline(__always)
    func rememberedLeaf<Layout: FixedLayout>(
        _: Layout.Type, _ key: Layout.Key
    ) -> FixedLeaf<Layout>? {
        let key = UInt128(truncatingIfNeeded: key)
        guard current.leafSequence == sequence, key >= current.leafLow, key <= current.leafHigh,
            current.leaf != 0
        else { return nil }
        return FixedLeaf(table.knownPage(current.leaf))
    }
}
