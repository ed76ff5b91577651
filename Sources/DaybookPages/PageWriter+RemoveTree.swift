internal import DaybookBytes

// Removing a whole tree, the current one.
extension PageWriter {
    /// Gives up all pages of the current tree.
    mutating func removeCurrentTree() throws(DaybookError) {
        guard current.root != 0 else { return }
        // Reading comes before changing, so that an error leaves the tree as it was.
        var pages: [UInt32] = []
        let root = try table.page(current.root)
        guard root.kind == current.kind.rawValue, root.level <= PageHeader.levelMax else {
            throw DamagedPages.wrongPage(current.root)
        }
        try collect(current.root, level: root.level, into: &pages)
        for page in pages {
            guard allocator.isLive(page) else { throw DamagedPages.wrongPage(page) }
            retire(page)
        }
        current.root = 0
        current.count = 0
        current.leaf = 0
        current.lastLeaf = 0
        touch()
    }

    /// Notes the pages of a tree. Leaves of fixed entries refer to nothing, so they are not read.
    private func collect(
        _ number: UInt32, level: Int, into pages: inout [UInt32]
    ) throws(DaybookError) {
        pages.append(number)
        if level == 0 && current.kind != .bytes { return }
        let page = try table.page(number)
        guard page.tag == current.kind.tag(level: level) else {
            throw DamagedPages.wrongPage(number)
        }
        switch current.kind {
        case .words: try collectChildren(FixedInner<WordLayout>(page), level, into: &pages)
        case .pairs: try collectChildren(FixedInner<PairLayout>(page), level, into: &pages)
        case .bytes: try collectChildren(BytePage(page), level, into: &pages)
        case .free, .overflow: throw DamagedPages.wrongPage(number)
        }
    }

    private func collectChildren<Layout: FixedLayout>(
        _ inner: FixedInner<Layout>, _ level: Int, into pages: inout [UInt32]
    ) throws(DaybookError) {
        for index in 0..<inner.count {
            try collect(inner.child(index), level: level - 1, into: &pages)
        }
    }

    private func collectChildren(
        _ page: BytePage, _ level: Int, into pages: inout [UInt32]
    ) throws(DaybookError) {
        for index in 0..<page.count where page.isLong(index) {
            pages.append(contentsOf: try page.chain(index).pages(in: table))
        }
        guard level > 0 else { return }
        for index in 0...page.count {
            try collect(page.child(index), level: level - 1, into: &pages)
        }
    }
}
