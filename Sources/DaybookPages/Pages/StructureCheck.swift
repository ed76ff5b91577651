internal import DaybookBytes

/// Walks all trees of a version and checks their invariants.
struct StructureCheck {
    private let table: PageTable
    /// The reached pages, one bit per page.
    private(set) var reachedMasks: [UInt16] = []
    private var tree: TreeID?

    init(table: PageTable) { self.table = table }

    /// - Throws: `.corruption` with tree and page at the first contradiction.
    mutating func check(_ version: PageVersion) throws(DaybookError) {
        guard version.catalog != 0 else { return }
        let catalog = version.catalog
        let count = try checkRoot(catalog, .words)
        let trees = try Catalog.treeIDs(catalog, in: table)
        try demand(trees.count == count, catalog, "the catalog has \(count) trees")
        for tree in trees {
            self.tree = tree
            guard let record = try Catalog.record(of: tree, catalog, in: table) else { continue }
            let page = try table.page(record.root)
            try demand(
                page.level == record.level, record.root, "the catalog says level \(record.level)")
            let count = try checkRoot(record.root, record.kind)
            try demand(
                count == Int(clamping: record.count), record.root,
                "the catalog says \(record.count) entries")
        }
    }

    private mutating func checkRoot(
        _ root: UInt32, _ kind: PageKind
    ) throws(DaybookError) -> Int {
        let level = try table.page(root).level
        try demand(level <= PageHeader.levelMax, root, "its level is \(level)")
        switch kind {
        case .words: return try checkFixed(WordLayout.self, root, level, 0...(.max))
        case .pairs: return try checkFixed(PairLayout.self, root, level, 0...(.max))
        case .bytes: return try checkBytes(root, level, low: nil, high: nil)
        case .free, .overflow: throw damaged(root, "it cannot be a root")
        }
    }

    // MARK: Fixed-size entries

    private mutating func checkFixed<Layout: FixedLayout>(
        _: Layout.Type, _ number: UInt32, _ level: Int, _ range: ClosedRange<Layout.Key>
    ) throws(DaybookError) -> Int {
        let page = try table.page(number)
        try reach(number)
        try demand(page.tag == Layout.kind.tag(level: level), number, "its kind or level is wrong")
        try demand(page.count > 0, number, "it is empty")
        guard level > 0 else { return try checkLeaf(FixedLeaf<Layout>(page), number, range) }
        let inner = FixedInner<Layout>(page)
        try demand(inner.count <= Layout.innerCapacity, number, "it is overfilled")
        var count = 0
        for index in 0..<inner.count {
            let low = inner.key(index)
            try demand(range.contains(low), number, "key \(index) is outside of its bounds")
            var high = range.upperBound
            if index + 1 < inner.count {
                try demand(low < inner.key(index + 1), number, "key \(index) is out of order")
                high = inner.key(index + 1) - 1
            }
            count += try checkFixed(Layout.self, inner.child(index), level - 1, low...high)
        }
        return count
    }

    private func checkLeaf<Layout: FixedLayout>(
        _ leaf: FixedLeaf<Layout>, _ number: UInt32, _ range: ClosedRange<Layout.Key>
    ) throws(DaybookError) -> Int {
        try demand(leaf.count <= Layout.leafCapacity, number, "it is overfilled")
        for index in 0..<leaf.count {
            let key = leaf.key(index)
            try demand(range.contains(key), number, "key \(index) is outside of its bounds")
            try demand(
                index == 0 || leaf.key(index - 1) < key, number, "key \(index) is out of order")
        }
        return leaf.count
    }

    // MARK: Byte strings

    private mutating func checkBytes(
        _ number: UInt32, _ level: Int, low: [UInt8]?, high: [UInt8]?
    ) throws(DaybookError) -> Int {
        let page = try table.page(number)
        try reach(number)
        try demand(
            page.tag == PageKind.bytes.tag(level: level), number, "its kind or level is wrong")
        let bytes = BytePage(page)
        try checkCells(bytes, number)
        try demand(level > 0 || bytes.count > 0, number, "it is empty")
        var previous = low
        var count = 0
        for index in 0..<bytes.count {
            if bytes.isLong(index) {
                for page in try bytes.chain(index).pages(in: table) { try reach(page) }
            }
            let key = try ByteTree.key(bytes, index, in: table)
            let isFirst = level == 0 && index == 0
            let isAbove = previous.map { previous in
                previous.lexicographicallyPrecedes(key) || (isFirst && previous == key)
            }
            try demand(isAbove ?? true, number, "key \(index) is out of order")
            try demand(
                high.map(key.lexicographicallyPrecedes) ?? true, number, "key \(index) is too high")
            let place = try key.span.withKeyBytes { (key) throws(DaybookError) in
                try bytes.locate(key, in: table)
            }
            try demand(place == (index, true), number, "key \(index) is not found")
            if level > 0 {
                count += try checkBytes(bytes.child(index), level - 1, low: previous, high: key)
            }
            previous = key
        }
        guard level > 0 else { return bytes.count }
        return count
            + (try checkBytes(bytes.child(bytes.count), level - 1, low: previous, high: high))
    }

    private func checkCells(_ page: BytePage, _ number: UInt32) throws(DaybookError) {
        var used = page.prefixLength
        try demand(
            page.freeLength >= 0 && page.heapStart + page.prefixLength <= Page.size, number,
            "its cells overlap its slots")
        for index in 0..<page.count {
            let end = page.cell(index) + page.cellLength(index)
            try demand(
                page.cell(index) >= page.heapStart && end <= Page.size - page.prefixLength, number,
                "cell \(index) is outside of the cells")
            used += page.cellLength(index) + BytePage.slotLength
        }
        try demand(used == page.usedLength, number, "the lengths of its cells do not add up")
    }

    // MARK: Findings

    private mutating func reach(_ number: UInt32) throws(DaybookError) {
        let group = Int(number >> 4)
        while reachedMasks.count <= group { reachedMasks.append(0) }
        let bit: UInt16 = 1 << UInt16(number & 15)
        try demand(reachedMasks[group] & bit == 0, number, "it is reached twice")
        reachedMasks[group] |= bit
    }

    private func demand(
        _ isTrue: Bool, _ number: UInt32, _ fault: @autoclosure () -> String
    ) throws(DaybookError) {
        if !isTrue { throw damaged(number, fault()) }
    }

    private func damaged(_ number: UInt32, _ fault: String) -> DaybookError {
        var details = ["snapshot": DamagedPages.part, "page": "\(number)"]
        if let tree { details["tree"] = "\(tree)" }
        let place = tree.map { tree in "tree \(tree)" } ?? "the catalog"
        return DaybookError(
            .corruption, "The indexes are damaged: in page \(number) of \(place), \(fault).",
            details: details)
    }
}
