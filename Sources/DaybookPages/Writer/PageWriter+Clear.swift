internal import DaybookBytes

// Removes all entries of a tree.
extension PageWriter {
    /// Empties a tree, which need not exist. Visits each of its pages and loads the pages
    /// that are not in memory. If that fails, nothing changes.
    mutating func clear(_ tree: TreeID) throws(DaybookError) {
        guard let record = try record(of: tree) else { return }
        try select(tree, record.kind)
        var pages: [UInt32] = []
        switch record.kind {
        case .words: try gather(WordLayout.self, record.root, record.level, &pages)
        case .pairs: try gather(PairLayout.self, record.root, record.level, &pages)
        case .bytes: try gatherBytes(record.root, record.level, &pages)
        case .free, .overflow: throw DamagedPages.wrongPage(record.root)
        }
        try reserve(PageHeader.levelMax)
        for page in pages { retire(page, birth: table.knownPage(page).birth) }
        let index = current.tree
        let kind = current.kind
        let isDirty = current.isDirty
        current = TreeState(tree: index, kind: kind)
        current.isDirty = isDirty
        touch()
    }

    private func gather<Layout: FixedLayout>(
        _: Layout.Type, _ number: UInt32, _ level: Int, _ pages: inout [UInt32]
    ) throws(DaybookError) {
        let page = try FixedTree<Layout>.child(number, level: level, in: table)
        pages.append(number)
        guard level > 0 else { return }
        let inner = FixedInner<Layout>(page)
        for index in 0..<inner.count {
            try gather(Layout.self, inner.child(index), level - 1, &pages)
        }
    }

    private func gatherBytes(
        _ number: UInt32, _ level: Int, _ pages: inout [UInt32]
    ) throws(DaybookError) {
        let page = BytePage(try ByteTree.child(number, level, in: table))
        pages.append(number)
        for index in 0..<page.count where page.isLong(index) {
            pages += try page.chain(index).pages(in: table)
        }
        guard level > 0 else { return }
        for index in 0...page.count {
            try gatherBytes(page.child(index), level - 1, &pages)
        }
    }
}
