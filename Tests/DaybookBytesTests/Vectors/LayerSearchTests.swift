@testable import DaybookBytes
import DaybookTesting
import Testing

@Suite struct LayerSearchTests {
    @Test(arguments: [1, 2, 7, 40, 3000])
    func `a pool keeps the nearest candidates and passes each once`(width: Int) {
        var random = SeededGenerator(seed: UInt64(width))
        var pool = CandidatePool(width: width)
        var added: [(slot: UInt64, distance: Float)] = []
        var passed: Set<UInt64> = []
        for slot in (1...2500 as ClosedRange<UInt64>).shuffled(using: &random) {
            // Many equal distances.
            let distance = Float(Int.random(in: 0..<300, using: &random))
            pool.add(slot, distance)
            added.append((slot, distance))
            guard slot % 3 == 0 else { continue }
            added.sort { ($0.distance, $0.slot) < ($1.distance, $1.slot) }
            let expected = added.prefix(width).first { !passed.contains($0.slot) }?.slot
            #expect(pool.following == expected)
            #expect(pool.next() == expected)
            if let expected { passed.insert(expected) }
        }
        added.sort { ($0.distance, $0.slot) < ($1.distance, $1.slot) }
        #expect(pool.count == min(width, added.count))
        for place in 0..<pool.count {
            #expect(pool[place].slot == added[place].slot)
            #expect(pool[place].distance == added[place].distance)
        }
    }

    @Test func `a set of slots contains each slot once`() {
        let slotCount: UInt64 = 1 << 25
        var set = SlotSet(slotCount: slotCount)
        // Slots from 2^24 on have no bit.
        for slot in [1, 63, 64, 65, 1 << 24 - 1, 1 << 24, slotCount - 1] as [UInt64] {
            let (isNew, isNewAgain) = (set.insert(slot), set.insert(slot))
            #expect(isNew && !isNewAgain)
        }
        let isOutsideNew = set.insert(slotCount)
        #expect(!isOutsideNew)
    }

    @Test func `links are kept as they were first added`() throws {
        let memories = VectorMemories()
        var memory = LinkMemory(LinksName(1, 2), slotCount: 1000, memories)
        let used = memories.usedBytes
        let links = try #require(memory)
        for slot in 0..<1000 as Range<UInt64> {
            #expect(links.touch(slot) == nil)
            links.add((0..<slot % 50).map { $0 + slot }, of: slot)
            links.add([1, 2, 3], of: slot)
        }
        for slot in 0..<1000 as Range<UInt64> {
            let kept = try #require(unsafe links.links(of: slot).map { unsafe $0.map(UInt64.init) })
            #expect(kept == (0..<slot % 50).map { $0 + slot })
            #expect(links.touch(slot) != nil)
        }
        links.add([1], of: 1000)
        #expect(links.touch(1000) == nil)
        #expect(memories.usedBytes > used)
        withExtendedLifetime(links) {}
        memory = nil
    }

    @Test func `links that do not fit are not kept`() throws {
        let memories = VectorMemories()
        memories.budgetBytes = 100_000
        #expect(LinkMemory(LinksName(1, 2), slotCount: 10_000, memories) == nil)
        let links = try #require(LinkMemory(LinksName(1, 2), slotCount: 100, memories))
        let used = memories.usedBytes
        // A part of the memory for lists is larger than a quarter of the budget.
        links.add([1, 2, 3], of: 4)
        #expect(links.touch(4) == nil && memories.usedBytes == used)
        memories.budgetBytes = 1 << 20
        links.add([1 << 32], of: 5)
        links.add([UInt64](repeating: 1, count: 5000), of: 6)
        #expect(links.touch(5) == nil && links.touch(6) == nil && memories.usedBytes == used)
        links.add([1, 2, 3], of: 4)
        #expect(links.touch(4) != nil && memories.usedBytes > used)
    }
}
