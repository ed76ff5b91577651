internal import DaybookBytes

/// A chain of pages with a key that is too long for a cell. Its pages never change.
struct OverflowChain {
    /// The capacity of one page of a chain, in bytes.
    static let pieceLengthMax = Page.size - PageHeader.length

    let first: UInt32
    let keyLength: Int

    /// The number of pages for a key of that length.
    static func pageCount(_ keyLength: Int) -> Int {
        (keyLength + pieceLengthMax - 1) / pieceLengthMax
    }

    /// Passes the bytes from `start` to `take`, page by page, until it returns false.
    private func forEachPiece(
        from start: Int, in table: PageTable, _ take: (KeyBytes) -> Bool
    ) throws(DaybookError) {
        var number = first
        var offset = 0
        while offset < keyLength {
            let page = try Self.page(number, in: table)
            let length = min(keyLength - offset, Self.pieceLengthMax)
            guard page.count == length else { throw DamagedPages.wrongPage(number) }
            if offset + length > start {
                let skipped = max(start - offset, 0)
                let piece = page.bytes(at: PageHeader.length, count: length)
                guard take(piece.rest(from: skipped)) else { return }
            }
            offset += length
            number = page.link
        }
    }

    /// Compares `key`, which starts with the first `start` bytes of this key, with this key. The
    /// result is negative, zero or positive.
    @inline(never)
    func compare(
        _ key: KeyBytes, from start: Int, in table: PageTable
    ) throws(DaybookError) -> Int {
        let common = try commonLength(key, from: start, in: table)
        if common == key.count || common == keyLength { return key.count - keyLength }
        var order = 0
        try forEachPiece(from: common, in: table) { piece in
            order = Int(key[common]) - Int(piece[0])
            return false
        }
        return order
    }

    /// The length of the common prefix with `key`; the first `start` bytes are known to be equal.
    func commonLength(
        _ key: KeyBytes, from start: Int, in table: PageTable
    ) throws(DaybookError) -> Int {
        var common = start
        try forEachPiece(from: start, in: table) { piece in
            let part = key.part(from: common, count: min(piece.count, key.count - common))
            let length = part.commonLength(with: piece)
            common += length
            return length == piece.count && common < key.count
        }
        return common
    }

    /// A copy of the whole key.
    func key(in table: PageTable) throws(DaybookError) -> [UInt8] {
        try prefix(keyLength, in: table)
    }

    /// A copy of the first bytes of the key.
    func prefix(_ length: Int, in table: PageTable) throws(DaybookError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(length, keyLength, 1 << 20))
        try forEachPiece(from: 0, in: table) { piece in
            bytes.append(
                contentsOf: piece.part(from: 0, count: min(piece.count, length - bytes.count)).array
            )
            return bytes.count < length
        }
        return bytes
    }

    /// Up to `length` bytes of the first page, without a copy. The chain must be in memory.
    func head(_ length: Int, in table: PageTable) -> KeyBytes {
        let page = table.knownPage(first)
        return page.bytes(at: PageHeader.length, count: min(length, page.count))
    }

    /// The numbers of the chain's pages.
    func pages(in table: PageTable) throws(DaybookError) -> [UInt32] {
        var numbers: [UInt32] = []
        var number = first
        var left = keyLength
        while left > 0 {
            numbers.append(number)
            let page = try Self.page(number, in: table)
            guard page.count == min(left, Self.pieceLengthMax) else {
                throw DamagedPages.wrongPage(number)
            }
            left -= page.count
            number = page.link
        }
        return numbers
    }

    /// Whether the whole chain is in memory.
    func isResident(in table: PageTable) -> Bool {
        var number = first
        for _ in 0..<Self.pageCount(keyLength) {
            guard let page = table.residentPage(number) else { return false }
            number = page.link
        }
        return true
    }

    private static func page(_ number: UInt32, in table: PageTable) throws(DaybookError) -> Page {
        let page = try table.page(number)
        guard page.kind == PageKind.overflow.rawValue else { throw DamagedPages.wrongPage(number) }
        return page
    }
}
