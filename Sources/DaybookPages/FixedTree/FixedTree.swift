internal import DaybookBytes

/// Lookups in a tree of fixed-size entries.
enum FixedTree<Layout: FixedLayout> {
    /// The leaf that can contain `key`.
    @inline(__always)
    static func leaf(
        for key: Layout.Key, below root: UInt32, in table: PageTable
    ) throws(DaybookError) -> FixedLeaf<Layout> {
        var page = try self.root(root, in: table)
        var level = page.level
        while level > 0 {
            let inner = FixedInner<Layout>(page)
            level -= 1
            page = try child(inner.child(inner.locate(key)), level: level, in: table)
        }
        return FixedLeaf(page)
    }

    /// The value of `key`.
    @inline(__always)
    static func value(
        of key: Layout.Key, below root: UInt32, in table: PageTable
    ) throws(DaybookError) -> Layout.Value? {
        let leaf = try leaf(for: key, below: root, in: table)
        let (index, isFound) = leaf.locate(key)
        return isFound ? leaf.value(index) : nil
    }

    /// The root page, checked.
    @inline(__always)
    static func root(_ number: UInt32, in table: PageTable) throws(DaybookError) -> Page {
        let page = try table.page(number)
        guard page.kind == Layout.kind.rawValue, page.level <= PageHeader.levelMax else {
            throw DamagedPages.wrongPage(number)
        }
        return page
    }

    /// A checked child page. The level decreases with each step, so every descent ends.
    @inline(__always)
    static func child(
        _ number: UInt32, level: Int, in table: PageTable
    ) throws(DaybookError) -> Page {
        let page = try table.page(number)
        guard page.tag == Layout.kind.tag(level: level) else {
            throw DamagedPages.wrongPage(number)
        }
        return page
    }
}

extension FixedTree<WordLayout> {
    /// The leaf that can contain `key`, and its range of keys.
    @inline(__always)
    static func place(
        of key: UInt64, below root: UInt32, in table: PageTable
    ) throws(DaybookError) -> (leaf: FixedLeaf<WordLayout>, keys: ClosedRange<UInt64>) {
        var page = try self.root(root, in: table)
        var level = page.level
        var first: UInt64 = 0
        var last = UInt64.max
        while level > 0 {
            let inner = FixedInner<WordLayout>(page)
            let index = inner.locate(key)
            if index > 0 { first = inner.key(index) }
            if index + 1 < inner.count { last = inner.key(index + 1) &- 1 }
            level -= 1
            page = try child(inner.child(index), level: level, in: table)
        }
        // In damaged pages, the bounds may not rise.
        return (FixedLeaf(page), first <= last ? first...last : key...key)
    }
}
