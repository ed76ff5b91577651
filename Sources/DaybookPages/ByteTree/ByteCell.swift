/// A key and its payload while they move between pages. It points into the memory of its source.
struct ByteCell {
    /// The key is `prefix` followed by `suffix`. For a long key, these are only its first bytes.
    let prefix: KeyBytes
    let suffix: KeyBytes
    /// The overflow chain of a long key.
    let chain: OverflowChain?
    var payload: UInt64

    /// Creates a cell for a key that fits in a page.
    init(_ key: KeyBytes, payload: UInt64) {
        prefix = key.part(from: 0, count: 0)
        suffix = key
        chain = nil
        self.payload = payload
    }

    /// Creates a cell for a long key. The first page of the chain contains enough of the key.
    init(_ chain: OverflowChain, in table: PageTable, payload: UInt64) {
        suffix = chain.head(BytePage.headLengthOfLongKeys, in: table)
        prefix = suffix.part(from: 0, count: 0)
        self.chain = chain
        self.payload = payload
    }

    private init(prefix: KeyBytes, suffix: KeyBytes, payload: UInt64) {
        self.prefix = prefix
        self.suffix = suffix
        chain = nil
        self.payload = payload
    }

    /// The cell at `index` of a page. The page must not change while the cell is in use.
    static func of(_ page: BytePage, _ index: Int, in table: PageTable) -> ByteCell {
        let payload = page.isLeaf ? page.value(index) : UInt64(page.child(index + 1))
        if page.isLong(index) { return ByteCell(page.chain(index), in: table, payload: payload) }
        return ByteCell(prefix: page.prefix, suffix: page.suffix(index), payload: payload)
    }

    var headLength: Int { prefix.count + suffix.count }

    /// The number of key bytes in the cell if the page has a prefix of that length.
    func suffixLength(after prefixLength: Int) -> Int {
        let length = max(headLength - prefixLength, 0)
        return chain == nil ? length : min(length, BytePage.suffixLengthOfLongKeys)
    }

    /// The length of the cell in a page with a prefix of that length.
    func length(after prefixLength: Int, _ payloadLength: Int) -> Int {
        suffixLength(after: prefixLength) + (chain == nil ? 0 : BytePage.tailLength) + payloadLength
    }

    /// The longest contiguous part of the key from `start`.
    private func piece(from start: Int) -> KeyBytes {
        start < prefix.count ? prefix.rest(from: start) : suffix.rest(from: start - prefix.count)
    }

    func starts(with other: KeyBytes) -> Bool {
        headLength >= other.count && commonLength(ByteCell(other, payload: 0)) == other.count
    }

    /// The length of the common prefix of both heads.
    func commonLength(_ other: ByteCell) -> Int {
        let length = min(headLength, other.headLength)
        var index = 0
        while index < length {
            let one = piece(from: index)
            let two = other.piece(from: index)
            let common = one.commonLength(with: two)
            index += common
            if common < min(one.count, two.count) { break }
        }
        return index
    }

    /// Writes slot and cell to a page with a prefix of that length.
    func write(to target: BytePage, slot: Int, at cell: Int, after prefixLength: Int) {
        let length = suffixLength(after: prefixLength)
        var offset = cell
        copy(from: prefixLength, count: length, to: target.page, at: offset)
        offset += length
        if let chain {
            target.page.store(chain.first, at: offset)
            target.page.store(UInt32(chain.keyLength), at: offset + 4)
            offset += BytePage.tailLength
        }
        if target.isLeaf {
            target.page.store(payload, at: offset)
        } else {
            target.page.store(UInt32(truncatingIfNeeded: payload), at: offset)
        }
        let head = target.page.bytes(at: cell, count: length).head(from: 0)
        target.setSlot(slot, head: head, cell: cell, suffixLength: length, isLong: chain != nil)
    }

    /// Copies a part of the key's head to a page.
    func copy(from start: Int, count: Int, to page: Page, at offset: Int) {
        var done = 0
        while done < count {
            let piece = piece(from: start + done)
            let length = min(piece.count, count - done)
            page.write(piece.part(from: 0, count: length), at: offset + done)
            done += length
        }
    }
}
