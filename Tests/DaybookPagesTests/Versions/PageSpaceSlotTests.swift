import DaybookBytes
@testable import DaybookPages
import DaybookTestSupport
import Synchronization
import Testing

struct PageSpaceSlotTests {
    private func makeSpace(_ value: UInt64, sequence: UInt64 = 1) throws -> PageSpace {
        let space = PageSpace()
        space.begin(sequence: sequence)
        try space.put(1, 1, WordValue(first: value, second: 0))
        space.publish(space.end())
        return space
    }

    @Test func `new reads use the newest space, and running reads keep theirs`() throws {
        let slot = PageSpaceSlot(try makeSpace(10))
        let pin = slot.pinVersion().hold()
        try slot.withPinned { reader throws in
            slot.replace(with: try makeSpace(20))
            #expect(try reader.get(1, 1)?.first == 10)
        }
        #expect(try slot.withPinned { reader throws in try reader.get(1, 1) }?.first == 20)
        #expect(try slot.pinVersion().hold().reader.get(1, 1)?.first == 20)
        #expect(try pin.reader.get(1, 1)?.first == 10)
        #expect(slot.current.publishedVersion.sequence == 1)
    }

    @Test func `a replaced space frees its pages when its last read ends`() throws {
        let file = try MemoryFileSystem().open("/snapshot", .create)
        _ = try makeSpace(1).capture().write(to: file, metadata: [])
        let first = try PageSpace.open(snapshot: file).space
        weak let loader = first.loader
        let slot = PageSpaceSlot(first)
        var pin: PagePin? = slot.pinVersion().hold()
        slot.replace(with: try makeSpace(2))
        #expect(slot.oldestPinnedSequence == 1)
        #expect(loader != nil)
        #expect(try pin?.reader.get(1, 1)?.first == 1)
        pin = nil
        _ = slot.oldestPinnedSequence
        #expect(loader == nil)
        #expect(try slot.pinVersion().hold().reader.get(1, 1)?.first == 2)
    }

    @Test func `the oldest version in use is searched in all spaces`() throws {
        let slot = PageSpaceSlot(try makeSpace(1, sequence: 7))
        let pin = slot.pinVersion().hold()
        slot.replace(with: try makeSpace(2, sequence: 9))
        #expect(slot.oldestPinnedSequence == 7)
        slot.withPinned { _ in #expect(slot.oldestPinnedSequence == 7) }
        withExtendedLifetime(pin) {}
        slot.replace(with: try makeSpace(3, sequence: 12))
        withExtendedLifetime(slot.pinVersion().hold()) { #expect(slot.oldestPinnedSequence == 7) }
    }

    @Test func `readers never use a discarded space`() throws {
        let slot = PageSpaceSlot(try makeSpace(1))
        let isDone = Atomic(false)
        try onThreads(3) { number in
            if number == 0 {
                for round in UInt64(2)...300 {
                    slot.replace(with: try self.makeSpace(round, sequence: round))
                }
                isDone.store(true, ordering: .releasing)
                return
            }
            var last: UInt64 = 0
            repeat {
                let pin = number == 1 ? nil : slot.pinVersion().hold()
                let value = try withExtendedLifetime(pin) {
                    if let pin { return try pin.reader.get(1, 1) }
                    return try slot.withPinned { reader throws in try reader.get(1, 1) }
                }
                guard let found = value?.first, found >= last else { throw Misread() }
                last = found
            } while !isDone.load(ordering: .acquiring)
        }
    }
}

private struct Misread: Error {}
