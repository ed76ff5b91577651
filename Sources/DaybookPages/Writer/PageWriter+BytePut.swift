internal import DaybookBytes

// Puts an entry in the current tree of byte strings.
extension PageWriter {
    /// The maximum length of a key: 16 MiB.
    static var byteKeyLengthMax: Int { 1 << 24 }

    /// Sets the value of `key` and returns the previous value.
    mutating func put(_ key: KeyBytes, _ value: UInt64) throws(DaybookError) -> UInt64? {
        guard key.count <= Self.byteKeyLengthMax else {
            throw DaybookError(
                .invalidValue,
                "A key of \(key.count) bytes is too long for an index. Keys may have 16 MiB; do "
                    + "not index this value, or index a hash of it.")
        }
        // A long key needs a chain, and the separator of two keys in its leaf may need one of the
        // maximum length.
        let chainCount =
            OverflowChain.pageCount(key.count) + OverflowChain.pageCount(Self.byteKeyLengthMax)
        try reserve(3 * PageHeader.levelMax + chainCount)
        if current.root == 0 {
            current.root = makePage(.bytes, level: 0)
            depth = 0
            path[0] = PathStep(current.root, 0)
            let page = table.knownPage(current.root)
            cells.removeAll()
            cells.append(makeCell(key, value))
            cells.write(0..<1, to: page, link: 0)
            touch()
            noteInsertedBytes(current.root, 0)
            current.count &+= 1
            return nil
        }
        let place = try descend(key)
        copyBytePath()
        if place.isFound {
            let leaf = BytePage(table.knownPage(path[depth].page))
            let old = leaf.value(place.index)
            leaf.setValue(value, at: place.index)
            return old
        }
        let run = run(at: place, in: path[depth].page)
        noteInsertedBytes(path[depth].page, place.index)
        let cell = makeCell(key, value)
        do throws(DaybookError) {
            try insertCell(cell, at: place.index, run)
        } catch {
            if let chain = cell.chain { retire(chain) }
            throw error
        }
        current.count &+= 1
        return nil
    }

    /// Whether the key at that position continues a run. At the ends of the tree, any key starts
    /// one.
    private func run(
        at place: (index: Int, isFound: Bool, isLeftmost: Bool, isRightmost: Bool), in leaf: UInt32
    ) -> KeyRun? {
        let count = table.knownPage(leaf).count
        let isNearLast = current.lastLeaf == leaf
        if place.isRightmost && place.index == count { return .rising }
        if place.isLeftmost && place.index == 0 { return .falling }
        if isNearLast && current.lastIndex == place.index - 1 { return .rising }
        if isNearLast && current.lastIndex == place.index { return .falling }
        return nil
    }

    private mutating func noteInsertedBytes(_ leaf: UInt32, _ index: Int) {
        current.lastLeaf = leaf
        current.lastIndex = index
    }

    /// The cell of a new key. A long key is first written to a chain.
    private mutating func makeCell(_ key: KeyBytes, _ payload: UInt64) -> ByteCell {
        guard key.count > BytePage.keyLengthMax else { return ByteCell(key, payload: payload) }
        return ByteCell(makeChain(key), in: table, payload: payload)
    }

    /// Inserts a cell in the leaf of the path and splits full pages.
    ///
    /// - Throws: `.corruption` if a page from a damaged snapshot cannot be divided, or if nothing
    ///   separates its keys.
    private mutating func insertCell(
        _ cell: ByteCell, at index: Int, _ run: KeyRun?
    ) throws(DaybookError) {
        var cell = cell
        var index = index
        var step = depth
        while true {
            let number = path[step].page
            let page = table.knownPage(number)
            if BytePage(page).insert(cell, at: index) { return }
            scratch.page.copy(from: page, at: 0, to: 0, count: Page.size)
            cells.removeAll()
            cells.append(BytePage(scratch.page), in: table)
            cells.insert(cell, at: index)
            let isLeaf = page.level == 0
            let all = 0..<cells.count
            if cells.fits(all, isLeaf: isLeaf) {
                cells.write(all, to: page, link: page.link)
                return
            }
            let cut = cells.cut(around: index, run, isLeaf: isLeaf)
            guard let cut else { throw DamagedPages.wrongPage(number) }
            if isLeaf {
                cell = try splitLeaf(number, page, at: cut, inserted: index)
            } else {
                cell = splitInner(page, at: cut)
            }
            if step == 0 {
                makeByteRoot(cell)
                return
            }
            step -= 1
            index = Int(path[step].index)
        }
    }

    /// Divides the collected cells between a leaf and a new leaf to its right. Returns their
    /// separator with the new leaf as payload.
    private mutating func splitLeaf(
        _ number: UInt32, _ page: Page, at cut: Int, inserted index: Int
    ) throws(DaybookError) -> ByteCell {
        // This may throw, so it must come before any change.
        guard var separator = try makeSeparator(cells[cut - 1], cells[cut]) else {
            throw DamagedPages.wrongPage(number)
        }
        let rightNumber = makePage(.bytes, level: 0)
        separator.payload = UInt64(rightNumber)
        cells.write(0..<cut, to: page, link: 0)
        cells.write(cut..<cells.count, to: table.knownPage(rightNumber), link: 0)
        current.lastLeaf = index < cut ? number : rightNumber
        current.lastIndex = index < cut ? index : index - cut
        return separator
    }

    /// Divides the collected cells between an inner page and a new one to its right; the cell at
    /// `cut` moves up.
    private mutating func splitInner(_ page: Page, at cut: Int) -> ByteCell {
        let rightNumber = makePage(.bytes, level: page.level)
        let separator = moveUp(cells[cut], level: page.level, payload: rightNumber)
        cells.write(0..<cut, to: page, link: page.link)
        cells.write(
            (cut + 1)..<cells.count, to: table.knownPage(rightNumber),
            link: UInt32(truncatingIfNeeded: cells[cut].payload))
        return separator
    }

    private mutating func makeByteRoot(_ separator: ByteCell) {
        let left = current.root
        let root = makePage(.bytes, level: table.knownPage(left).level + 1)
        cells.removeAll()
        cells.append(separator)
        cells.write(0..<1, to: table.knownPage(root), link: left)
        current.root = root
    }

    /// The shortest key that is above `left` and not above `right`: their common prefix plus one
    /// byte. The caller sets its payload.
    ///
    /// - Returns: nil if `right` is not above `left`. Keys in chains are compared only here, so
    ///   pages from a damaged snapshot may contain such keys.
    private mutating func makeSeparator(
        _ left: ByteCell, _ right: ByteCell
    ) throws(DaybookError) -> ByteCell? {
        let common = left.commonLength(right)
        if common < BytePage.keyLengthMax {
            return common < right.headLength ? shorten(right, to: common + 1) : nil
        }
        guard let chain = right.chain else { return nil }
        var length = common
        if let leftChain = left.chain, common == min(left.headLength, right.headLength) {
            let key = try leftChain.key(in: table)
            length = try key.span.withKeyBytes { (key) throws(DaybookError) in
                try chain.commonLength(key, from: common, in: table)
            }
        }
        guard length < chain.keyLength else { return nil }
        let key = try chain.prefix(length + 1, in: table)
        return key.span.withKeyBytes { key in ByteCell(makeChain(key), in: table, payload: 0) }
    }

    /// The first bytes of a key, copied outside the pages that are about to be written.
    private func shorten(_ cell: ByteCell, to length: Int) -> ByteCell {
        let (page, offset) = scratch.separator(level: 0)
        cell.copy(from: 0, count: length, to: page, at: offset)
        return ByteCell(page.bytes(at: offset, count: length), payload: 0)
    }

    /// A key of an inner page of that level, copied outside the pages that are about to be written.
    private func moveUp(_ cell: ByteCell, level: Int, payload: UInt32) -> ByteCell {
        if let chain = cell.chain { return ByteCell(chain, in: table, payload: UInt64(payload)) }
        let (page, offset) = scratch.separator(level: level)
        cell.copy(from: 0, count: cell.headLength, to: page, at: offset)
        return ByteCell(page.bytes(at: offset, count: cell.headLength), payload: UInt64(payload))
    }
}
