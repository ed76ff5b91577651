internal import DaybookBytes

// Copy-on-write of the path from the root to a leaf, in a tree of byte strings.
extension PageWriter {
    /// Descends to the leaf that can contain `key` and records the path. Changes nothing.
    ///
    /// Loads all pages that the later steps of the change need, including the chains of long keys
    /// on the path, so that the change cannot fail halfway.
    mutating func descend(
        _ key: KeyBytes
    ) throws(DaybookError) -> (index: Int, isFound: Bool, isLeftmost: Bool, isRightmost: Bool) {
        var number = current.root
        var page = try ByteTree.root(number, in: table)
        var level = page.level
        var isLeftmost = true
        var isRightmost = true
        depth = 0
        while level > 0 {
            let inner = BytePage(page)
            try loadChains(inner)
            let index = try inner.locateChild(key, in: table)
            path[depth] = PathStep(number, index)
            if index > 0 { isLeftmost = false }
            if index < inner.count { isRightmost = false }
            number = inner.child(index)
            level -= 1
            depth += 1
            page = try ByteTree.child(number, level, in: table)
        }
        path[depth] = PathStep(number, 0)
        try loadChains(BytePage(page))
        let (index, isFound) = try BytePage(page).locate(key, in: table)
        return (index, isFound, isLeftmost, isRightmost)
    }

    private func loadChains(_ page: BytePage) throws(DaybookError) {
        // Without a snapshot or a base, all pages are in memory.
        guard source.isLazy else { return }
        for index in 0..<page.count where page.isLong(index) {
            _ = try page.chain(index).pages(in: table)
        }
    }

    /// Copies the pages on the path that cannot be changed in place.
    mutating func copyBytePath() {
        for step in 0...depth {
            let number = path[step].page
            let page = table.knownPage(number)
            if page.birth == sequence { continue }
            let copy = copyBytePage(number, page)
            if current.lastLeaf == number { current.lastLeaf = copy }
            path[step].page = copy
            if step == 0 {
                current.root = copy
            } else {
                let parent = BytePage(table.knownPage(path[step - 1].page))
                parent.setChild(copy, at: Int(path[step - 1].index))
            }
        }
        touch()
    }

    private mutating func copyBytePage(_ number: UInt32, _ page: Page) -> UInt32 {
        let source = BytePage(page)
        let copy = copyPage(number, page, length: BytePage.slot(source.count))
        let heap = source.heapStart
        table.knownPage(copy).copy(from: page, at: heap, to: heap, count: Page.size - heap)
        return copy
    }

    // MARK: Overflow chains

    /// Writes a long key to a new chain.
    mutating func makeChain(_ key: KeyBytes) -> OverflowChain {
        var first: UInt32 = 0
        var last: Page?
        var offset = 0
        while offset < key.count {
            let number = makePage(.overflow, level: 0)
            let page = table.knownPage(number)
            let length = min(key.count - offset, OverflowChain.pieceLengthMax)
            page.count = length
            page.write(key.part(from: offset, count: length), at: PageHeader.length)
            if let last { last.link = number } else { first = number }
            last = page
            offset += length
        }
        return OverflowChain(first: first, keyLength: key.count)
    }

    /// Retires the pages of a chain, which is in memory.
    mutating func retire(_ chain: OverflowChain) {
        var number = chain.first
        for _ in 0..<OverflowChain.pageCount(chain.keyLength) {
            let page = table.knownPage(number)
            let next = page.link
            retire(number, birth: page.birth)
            number = next
        }
    }
}
