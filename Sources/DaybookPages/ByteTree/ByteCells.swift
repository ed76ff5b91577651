/// The ordered cells of a page that is being rebuilt, split or merged.
struct ByteCells {
    private var cells: [ByteCell] = []

    var count: Int { cells.count }
    subscript(index: Int) -> ByteCell { cells[index] }

    mutating func removeAll() { cells.removeAll(keepingCapacity: true) }
    mutating func append(_ cell: ByteCell) { cells.append(cell) }
    mutating func insert(_ cell: ByteCell, at index: Int) { cells.insert(cell, at: index) }

    /// Appends all cells of a page. The chains of its long keys must be in memory.
    mutating func append(_ page: BytePage, in table: PageTable) {
        for index in 0..<page.count { cells.append(ByteCell.of(page, index, in: table)) }
    }

    /// The length of the longest common prefix of these cells. The cells are sorted, so it is the
    /// common prefix of the first and the last one.
    func prefixLength(_ range: Range<Int>) -> Int {
        guard let first = range.first else { return 0 }
        return min(cells[first].commonLength(cells[range.upperBound - 1]), BytePage.keyLengthMax)
    }

    /// The total length of slots, cells and prefix in a page with these cells.
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

    /// Writes these cells to a page. Replaces everything except kind, level and birth.
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

    /// Chooses where to divide the cells between two pages: at the end of a run of keys, if the
    /// cell at `index` continues one, or near the middle.
    ///
    /// A valid division always exists. A new key that does not start with the page's prefix is
    /// first or last, and the other cells fit without it. Any other key enlarges each half by at
    /// most a quarter of a page.
    ///
    /// - Returns: the number of cells on the left; in an inner page, the cell at that index moves
    ///   up. Nil if no division fits, which is impossible for pages that this module built.
    func cut(around index: Int, _ run: KeyRun?, isLeaf: Bool) -> Int? {
        // In an inner page, the cell before a rising run moves up, and the new one becomes the
        // first on the right.
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

    /// The first cut with at least half of the bytes on its left.
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
