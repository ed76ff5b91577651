// Building a page of byte strings piece by piece, from lengths that are not to be trusted.
extension BytePage {
    /// Makes room for slots and prefix; false where there is none.
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

    /// Makes the cell of a key whose suffix begins with `shared` bytes of the one before; false
    /// where there is no room. The slot keeps `shared` until the key is complete.
    func makeCell(_ index: Int, shared: Int, suffixLength: Int, isLong: Bool) -> Bool {
        let length = suffixLength + (isLong ? Self.tailLength : 0) + payloadLength
        guard heapStart - length >= Self.slot(count) else { return false }
        heapStart -= length
        setSlot(
            index, head: UInt32(shared), cell: heapStart, suffixLength: suffixLength, isLong: isLong
        )
        return true
    }

    /// How many bytes of the suffix are not shared with the one before.
    func restLength(_ index: Int) -> Int { suffixLength(index) - Int(head(index)) }

    /// Fills in the suffix; false where the key is not above the one before.
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
        // A long key may differ from the one before in its chain alone; a short one cannot, for it
        // ends here.
        let order = suffix.compare(self.suffix(index - 1))
        return order > 0 || (order == 0 && isLong(index))
    }

    /// Writes the chain of a long key.
    func setChain(_ chain: OverflowChain, at index: Int) {
        let tail = cell(index) + suffixLength(index)
        page.store(chain.first, at: tail)
        page.store(UInt32(truncatingIfNeeded: chain.keyLength), at: tail + 4)
    }
}
