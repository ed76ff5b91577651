// Builds a page of byte strings step by step from untrusted lengths.
extension BytePage {
    /// Reserves slots and prefix; false if they do not fit.
    func begin(count: Int, prefixLength: Int) -> Bool {
        guard prefixLength <= Self.keyLengthMax, count <= Self.capacity / Self.slotLength,
            Self.slot(count) + prefixLength <= Page.size, count > 0 || !isLeaf
        else { return false }
        page.count = count
        page.store(UInt16(prefixLength), at: PageHeader.prefixLength)
        heapStart = Page.size - prefixLength
        garbageLength = 0
        return true
    }

    /// Reserves the cell of a key whose suffix shares `shared` bytes with the previous one; false
    /// if it does not fit. The slot stores `shared` until the key is complete.
    func makeCell(_ index: Int, shared: Int, suffixLength: Int, isLong: Bool) -> Bool {
        let length = suffixLength + (isLong ? Self.tailLength : 0) + payloadLength
        guard heapStart - length >= Self.slot(count) else { return false }
        heapStart -= length
        setSlot(
            index, head: UInt32(shared), cell: heapStart, suffixLength: suffixLength, isLong: isLong
        )
        return true
    }

    /// The number of suffix bytes that are not shared with the previous key.
    func restLength(_ index: Int) -> Int { suffixLength(index) - Int(head(index)) }

    /// Writes the rest of the suffix; false if the key is not above the previous one.
    func complete(_ index: Int, _ rest: KeyBytes) -> Bool {
        let shared = Int(head(index))
        let cell = cell(index)
        if shared > 0 { page.move(from: self.cell(index - 1), to: cell, count: shared) }
        page.write(rest, at: cell + shared)
        let suffix = suffix(index)
        setSlot(
            index, head: suffix.head(from: 0), cell: cell, suffixLength: suffix.count,
            isLong: isLong(index))
        guard index > 0 else { return true }
        // A long key may differ from the previous key only in its chain. A short key has no chain,
        // so its suffix must be greater.
        let order = suffix.compare(self.suffix(index - 1))
        return order > 0 || (order == 0 && isLong(index))
    }

    /// Stores the chain of a long key.
    func setChain(_ chain: OverflowChain, at index: Int) {
        let tail = cell(index) + suffixLength(index)
        page.store(chain.first, at: tail)
        page.store(UInt32(truncatingIfNeeded: chain.keyLength), at: tail + 4)
    }
}
