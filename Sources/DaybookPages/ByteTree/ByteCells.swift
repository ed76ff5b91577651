/// The cells of a page that is being rebuilt, split or merged, in order.
struct ByteCells {
    private var cells: [ByteCell] = []

    var count: Int { cells.count }
    subscript(index: Int) -> ByteCell { cells[index] }

    mutating func removeAll() { cells.removeAll(keepingCapacity: true) }
    mutating func append(_ cell: ByteCell) { cells.append(cell) }
    mutating func insert(_ cell: ByteCell, at index: Int) { cells.insert(cell, at: index) }

    /// Adds all cells of a page; the chains of long keys must be in memory.
    mutating func append(_ page: BytePage, in table: PageTable) {
        for index in 0..<page.count { cells.append(ByteCell.of(page, index, in: table)) }
    }

    /// The longest prefix that those cells can share. The keys are in order, so what the first and
    /// the last begin with, all begin with.
    func prefixLength(_ range: Range<Int>) -> Int {
        guard let first = range.first else { return 0 }
        return min(cells[first].commonLength(cells[range.upperBound - 1]), BytePage.keyLengthMax)
    }

    /// The bytes of slots, cells and prefix of a page with those cells.
    func length(_ range: Range<Int>, isLeaf: Bool) -> Int {
        let prefixLength = prefixLength(range)
        var length = prefixLength
        for index in range {
            length += BytePage.slotLength + cells[index].length(after: prefixLength, isLeaf ? 8 : 4)
        }
        return length
    }

    func fits(_ range: Range<Int>, isLeaf: Bool) -> Bool {
        length(range, isLeaf: isLeaf) <= BytePage.capacity
    }

    /// Writes those cells to a page, over all that is there but its header's kind, level and birth.
    func write(_ range: Range<Int>, to page: Page, link: UInt32) {
        let target = BytePage(page)
        let prefixLength = prefixLength(range)
        var heap = Page.size - prefixLength
        if let first = range.first {
            cells[first].copy(from: 0, count: prefixLength, to: page, at: heap)
        }
        page.count = range.count
        page.store(UInt16(prefixLength), at: PageHeader.prefixLength)
        target.garbageLength = 0
        page.link = link
        for index in range {
            heap -= cells[index].length(after: prefixLength, target.payloadLength)
            cells[index].write(
                to: target, slot: index - range.lowerBound, at: heap, after: prefixLength)
        }
        precondition(heap >= BytePage.slot(range.count), "a page is overfilled")
        target.heapStart = heap
    }

    /// Where to divide the cells between two pages that have room for them: where a run of keys is,
    /// if the cell at `index` goes on with one, or near the middle.
    ///
    /// There is always a way. A new key that does not begin with the page's prefix stands at one
    /// end, and the others fit without it; any other key makes the halves larger by a quarter of a
    /// page at most.
    ///
    /// - Returns: how many cells go left. In an inner page the cell at that index goes up; nil
    ///   where nothing fits, which no page that was built here can come to.
    func cut(around index: Int, _ run: KeyRun?, isLeaf: Bool) -> Int? {
        // In an inner page the cell before a rising run goes up, and the new one is first on the
        // right.
        let rising = isLeaf ? index : index - 1
        switch run {
        case .rising where index >= count / 2 && isCut(rising, isLeaf): return rising
        case .falling where index <= count / 2 && isCut(index + 1, isLeaf): return index + 1
        default: break
        }
        let middle = middle(isLeaf)
        if isCut(middle, isLeaf) { return middle }
        let alone = index < count - 1 ? 1 : isLeaf ? count - 1 : count - 2
        return isCut(alone, isLeaf) ? alone : nil
    }

    private func isCut(_ cut: Int, _ isLeaf: Bool) -> Bool {
        let right = isLeaf ? cut : cut + 1
        return cut > 0 && right < count && fits(0..<cut, isLeaf: isLeaf)
            && fits(right..<count, isLeaf: isLeaf)
    }

    /// The first cut that leaves half of the bytes on its left.
    private func middle(_ isLeaf: Bool) -> Int {
        let total = length(0..<count, isLeaf: isLeaf)
        let prefixLength = prefixLength(0..<count)
        var left = 0
        var middle = 0
        while middle < count - 1 && left < total / 2 {
            left +=
                BytePage.slotLength + cells[middle].length(after: prefixLength, isLeaf ? 8 : 4)
            middle += 1
        }
        return max(middle, 1)
    }
}
