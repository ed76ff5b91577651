import DaybookBytes
import DaybookPages
import Testing

struct PageSpaceSlotTests {
    private func makeSpace(_ value: UInt64) throws -> PageSpace {
        let space = PageSpace()
        space.begin(sequence: 1)
        try space.put(1, 1, WordValue(first: value, second: 0))
        space.publish(space.end())
        return space
    }

    @Test func `reads go to the newest space, and those under way stay with theirs`() throws {
        let slot = PageSpaceSlot(try makeSpace(10))
        let pin = slot.pin()
        try slot.withPinned { reader throws in
            slot.replace(with: try makeSpace(20))
            #expect(try reader.get(1, 1)?.first == 10)
        }
        #expect(try slot.withPinned { reader throws in try reader.get(1, 1) }?.first == 20)
        #expect(try slot.pin().reader.get(1, 1)?.first == 20)
        #expect(try pin.reader.get(1, 1)?.first == 10)
        #expect(slot.current.publishedVersion.sequence == 1)
    }

    @Test func `replaced spaces live as long as the slot`() throws {
        weak var first: PageSpace?
        do {
            let slot = PageSpaceSlot(try makeSpace(1))
            first = slot.current
            slot.replace(with: try makeSpace(2))
            #expect(first != nil)
        }
        #expect(first == nil)
    }
}
