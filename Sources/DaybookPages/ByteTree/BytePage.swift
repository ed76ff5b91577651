internal import DaybookBytes

/// A leaf or inner page of byte strings.
///
///     header │ slots, 8 bytes each ─► │ free │ ◄─ cells │ prefix
///     slot:  4 the first four bytes after the prefix, as a number · 2 offset of the cell ·
///            2 length of the cell's suffix; the highest bit is set if the key has a chain
///     cell:  suffix · if the key has a chain: 4 its first page, 4 key length · payload
///
/// All keys start with the prefix, which is stored once. In a leaf, the payload is the value, 8
/// bytes. In an inner page, it is a child, 4 bytes: a key separates the child before it from its
/// own child, and no key below a child is less than the key before it. The header's link is the
/// child before the first key.
///
/// A key of more than ``keyLengthMax`` bytes is stored in a chain of overflow pages. Its cell
/// repeats up to ``suffixLengthOfLongKeys`` bytes of it.
struct BytePage {
    static let slotLength = 8
    /// Four cells of this length fit in a page, so a page that must be split has enough cells.
    static let keyLengthMax = 960
    static let suffixLengthOfLongKeys = 64
    /// The part of a long key that is compared when pages are rebuilt: a prefix and a suffix.
    static let headLengthOfLongKeys = keyLengthMax + suffixLengthOfLongKeys
    static let tailLength = 8
    static let longFlag: UInt16 = 0x8000
    /// The maximum total length of slots, cells and prefix.
    static let capacity = Page.size - PageHeader.length

    let page: Page

    @inline(__always)
    init(_ page: Page) { self.page = page }

    @inline(__always) var isLeaf: Bool { page.level == 0 }
    @inline(__always) var payloadLength: Int { isLeaf ? 8 : 4 }
    @inline(__always) var count: Int { page.count }
    @inline(__always)
    var prefixLength: Int { Int(page.load(PageHeader.prefixLength, as: UInt16.self)) }

    @inline(__always)
    var heapStart: Int {
        get { Int(page.load(PageHeader.heapStart, as: UInt16.self)) }
        nonmutating set { page.store(UInt16(newValue), at: PageHeader.heapStart) }
    }

    @inline(__always)
    var garbageLength: Int {
        get { Int(page.load(PageHeader.garbageLength, as: UInt16.self)) }
        nonmutating set { page.store(UInt16(newValue), at: PageHeader.garbageLength) }
    }

    /// The number of free bytes between slots and cells.
    @inline(__always)
    var freeLength: Int { heapStart - PageHeader.length - count * Self.slotLength }

    /// The total length of slots, cells and prefix, without removed cells.
    var usedLength: Int { Self.capacity - freeLength - garbageLength }

    @inline(__always)
    var prefix: KeyBytes { page.bytes(at: Page.size - prefixLength, count: prefixLength) }

    // MARK: Slots and cells

    @inline(__always)
    static func slot(_ index: Int) -> Int { PageHeader.length + index * slotLength }

    @inline(__always)
    func head(_ index: Int) -> UInt32 { page.load(Self.slot(index)) }

    @inline(__always)
    func cell(_ index: Int) -> Int { Int(page.load(Self.slot(index) + 4, as: UInt16.self)) }

    @inline(__always)
    private func lengthField(_ index: Int) -> UInt16 { page.load(Self.slot(index) + 6) }

    @inline(__always)
    func isLong(_ index: Int) -> Bool { lengthField(index) & Self.longFlag != 0 }

    @inline(__always)
    func suffixLength(_ index: Int) -> Int { Int(lengthField(index) & ~Self.longFlag) }

    @inline(__always)
    func suffix(_ index: Int) -> KeyBytes {
        page.bytes(at: cell(index), count: suffixLength(index))
    }

    /// The overflow chain of a long key.
    func chain(_ index: Int) -> OverflowChain {
        let tail = cell(index) + suffixLength(index)
        return OverflowChain(
            first: page.load(tail), keyLength: Int(page.load(tail + 4, as: UInt32.self)))
    }

    func cellLength(_ index: Int) -> Int {
        suffixLength(index) + (isLong(index) ? Self.tailLength : 0) + payloadLength
    }

    @inline(__always)
    private func payloadOffset(_ index: Int) -> Int {
        cell(index) + suffixLength(index) + (isLong(index) ? Self.tailLength : 0)
    }

    @inline(__always)
    func value(_ index: Int) -> UInt64 { page.load(payloadOffset(index)) }

    func setValue(_ value: UInt64, at index: Int) { page.store(value, at: payloadOffset(index)) }

    /// Child 0 is left of all keys; child n is right of key n - 1.
    @inline(__always)
    func child(_ index: Int) -> UInt32 {
        index == 0 ? page.link : page.load(payloadOffset(index - 1))
    }

    func setChild(_ child: UInt32, at index: Int) {
        if index == 0 { page.link = child } else { page.store(child, at: payloadOffset(index - 1)) }
    }

    // MARK: Searching

    /// The index of the first key that is at least `key`, and whether it equals `key`.
    @inline(__always)
    func locate(
        _ key: KeyBytes, in table: PageTable
    ) throws(DaybookError) -> (index: Int, isFound: Bool) {
        let prefix = prefix
        let common = prefix.count == 0 ? 0 : key.commonLength(with: prefix)
        if common < prefix.count {
            let isBefore = common == key.count || key[common] < prefix[common]
            return (isBefore ? 0 : count, false)
        }
        let head = key.head(from: common)
        let rest = key.rest(from: common)
        var low = 0
        var length = count
        while length > 0 {
            let half = length >> 1
            let middle = low + half
            let other = self.head(middle)
            var isBelow = other < head
            if other == head {
                let order = try compare(rest, toSuffixOf: middle, of: key, in: table)
                if order == 0 { return (middle, true) }
                isBelow = order > 0
            }
            low = isBelow ? middle + 1 : low
            length = isBelow ? length - half - 1 : half
        }
        return (low, false)
    }

    /// The index of the child that can contain `key`.
    @inline(__always)
    func locateChild(_ key: KeyBytes, in table: PageTable) throws(DaybookError) -> Int {
        let (index, isFound) = try locate(key, in: table)
        return isFound ? index + 1 : index
    }

    /// Compares `key`, whose bytes after the prefix are `rest`, with the key at `index`. The result
    /// is negative, zero or positive.
    @inline(__always)
    private func compare(
        _ rest: KeyBytes, toSuffixOf index: Int, of key: KeyBytes, in table: PageTable
    ) throws(DaybookError) -> Int {
        let suffix = suffix(index)
        let common = rest.commonLength(with: suffix)
        if common < suffix.count {
            return common < rest.count ? Int(rest[common]) - Int(suffix[common]) : -1
        }
        guard isLong(index) else { return rest.count - common }
        return try chain(index).compare(key, from: key.count - rest.count + common, in: table)
    }

    // MARK: Changing

    /// Removes the key at `index`; its cell becomes garbage.
    func remove(at index: Int) {
        garbageLength += cellLength(index)
        let next = Self.slot(index + 1)
        page.move(from: next, to: Self.slot(index), count: Self.slot(count) - next)
        page.count -= 1
    }

    /// Inserts a cell at `index`; false if its key does not start with the prefix or does not fit.
    func insert(_ cell: ByteCell, at index: Int) -> Bool {
        let prefix = prefix
        let length = cell.length(after: prefix.count, payloadLength)
        guard freeLength >= length + Self.slotLength, cell.starts(with: prefix) else {
            return false
        }
        let slot = Self.slot(index)
        page.move(from: slot, to: slot + Self.slotLength, count: Self.slot(count) - slot)
        page.count += 1
        heapStart -= length
        cell.write(to: self, slot: index, at: heapStart, after: prefix.count)
        return true
    }

    /// Writes a slot.
    func setSlot(_ index: Int, head: UInt32, cell: Int, suffixLength: Int, isLong: Bool) {
        let slot = Self.slot(index)
        page.store(head, at: slot)
        page.store(UInt16(cell), at: slot + 4)
        page.store(UInt16(suffixLength) | (isLong ? Self.longFlag : 0), at: slot + 6)
    }
}
