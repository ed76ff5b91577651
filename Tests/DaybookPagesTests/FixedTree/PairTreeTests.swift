import DaybookBytes
import DaybookPages
import DaybookTesting
import Testing

struct PairTreeTests {
    private static let tree: TreeID = 9

    @Test func `pairs are ordered by first, then second`() throws {
        let space = PageSpace()
        space.begin(sequence: 1)
        let pairs: [(UInt64, UInt64)] = [(2, 0), (1, .max), (1, 0), (.max, .max), (0, 0), (1, 5)]
        for pair in pairs { #expect(try space.insert(Self.tree, pair.0, pair.1)) }
        #expect(try !space.insert(Self.tree, 1, 5))
        space.publish(space.end())
        var cursor = try space.working.pairs(Self.tree)
        for pair in pairs.sorted(by: <) {
            let found = try cursor.next()
            #expect(found?.first == pair.0 && found?.second == pair.1)
        }
        #expect(try cursor.next() == nil)
        for pair in pairs.sorted(by: >) {
            let found = try cursor.previous()
            #expect(found?.first == pair.0 && found?.second == pair.1)
        }
        #expect(try cursor.previous() == nil)
    }

    @Test func `the pairs of one first word end before those of the next`() throws {
        let space = PageSpace()
        space.begin(sequence: 1)
        for second in 0..<1_000 as Range<UInt64> {
            try space.insert(Self.tree, 7, second * 2)
            try space.insert(Self.tree, 8, second)
        }
        space.publish(space.end())
        var cursor = try space.working.pairs(Self.tree, from: (7, 100))
        for second in 50..<1_000 as Range<UInt64> {
            let pair = try cursor.next()
            #expect(pair?.first == 7 && pair?.second == second * 2)
        }
        #expect(try cursor.next()?.first == 8)
        try cursor.seekToEnd()
        #expect(try cursor.previous()?.second == 999)
        try cursor.seek(to: 7, 1_999)
        #expect(try cursor.next()?.first == 8)
    }

    @Test func `one source with a million targets is stored like other pairs`() throws {
        let space = PageSpace()
        space.begin(sequence: 1)
        for target in 0..<1_000_000 as Range<UInt64> { try space.insert(Self.tree, 1, target) }
        space.publish(space.end())
        #expect(try space.working.count(Self.tree) == 1_000_000)
        // 254 pairs fit in a leaf.
        #expect(space.usedPageCount <= 1_000_000 / 254 + 30)
        space.begin(sequence: 2)
        #expect(try space.remove(Self.tree, 1, 500_000))
        #expect(try !space.remove(Self.tree, 1, 500_000))
        space.publish(space.end())
        try space.withPinned { reader throws in
            #expect(try !reader.contains(Self.tree, 1, 500_000))
            #expect(try reader.contains(Self.tree, 1, 500_001))
        }
    }

    @Test func `falling pairs between other pairs leave full pages`() throws {
        let space = PageSpace()
        space.begin(sequence: 1)
        for first in 0..<300 as Range<UInt64> { try space.insert(Self.tree, first, 0) }
        for first in (0..<300 as Range<UInt64>).reversed() {
            for second in (1..<100 as Range<UInt64>).reversed() {
                try space.insert(Self.tree, first, second)
            }
        }
        space.publish(space.end())
        #expect(space.usedPageCount <= 2 * 30_000 / 254 + 5)
        try space.checkStructure(space.publishedVersion)
    }

    @Test func `searches find pairs whatever the distances between them`() throws {
        // Searches guess the place of a pair from its first and second word.
        var random = SeededGenerator(seed: 11)
        var pairs: [(UInt64, UInt64)] = []
        var first: UInt64 = 0
        for run in 0..<400 {
            // Gaps of all sizes, first words with one pair, and first words with many.
            first += UInt64.random(in: 1...(1 << UInt64(run % 52)), using: &random)
            var second: UInt64 = 0
            for _ in 0..<(run % 7 == 0 ? 60 : 1 + run % 5) {
                second += UInt64.random(
                    in: 1...(1 << UInt64.random(in: 0...50, using: &random)),
                    using: &random)
                pairs.append((first, second))
            }
        }
        let space = PageSpace()
        space.begin(sequence: 1)
        for pair in pairs.shuffled(using: &random) {
            #expect(try space.insert(Self.tree, pair.0, pair.1))
        }
        space.publish(space.end())
        try space.checkStructure(space.publishedVersion)
        let reader = space.working
        var cursor = try reader.pairs(Self.tree)
        for (place, pair) in pairs.enumerated() {
            #expect(try reader.contains(Self.tree, pair.0, pair.1))
            try cursor.seek(to: pair.0, pair.1)
            let found = try cursor.next()
            #expect(found?.first == pair.0 && found?.second == pair.1)
            // The successor of a missing pair, which is the next pair unless they are adjacent.
            try cursor.seek(to: pair.0, pair.1 + 1)
            let next = try cursor.next()
            let expected = place + 1 < pairs.count ? pairs[place + 1] : nil
            #expect(next?.first == expected?.0 && next?.second == expected?.1)
            try cursor.seek(to: pair.0)
            let start = try cursor.next()
            #expect(start?.first == pair.0 && (start?.second ?? .max) <= pair.1)
        }
    }
}
