import DaybookBytes
import DaybookPages
import DaybookTesting
import DaybookTestSupport
import Testing

struct WordTreeTests {
    private static let tree: TreeID = 3

    /// Puts all keys in one transaction, in that order.
    private func put(_ keys: some Sequence<UInt64>, in space: PageSpace) throws {
        space.begin(sequence: space.working.sequence + 1)
        for key in keys { try space.put(Self.tree, key, WordValue(first: key, second: 1)) }
        space.publish(space.end())
    }

    @Test func `an empty space has no entries`() throws {
        let space = PageSpace()
        #expect(space.publishedVersion == PageVersion(sequence: 0, catalog: 0))
        try space.withPinned { reader throws in
            #expect(reader.sequence == 0)
            #expect(try reader.get(1, 1) == nil)
            #expect(try !reader.contains(1, 1, 1))
            #expect(try reader.get(1, bytes: [1].span) == nil)
            #expect(try reader.count(1) == 0)
            #expect(try reader.trees() == [])
            var words = try reader.words(1)
            #expect(try words.next() == nil)
            #expect(try words.previous() == nil)
            var pairs = try reader.pairs(1)
            #expect(try pairs.next() == nil)
            var bytes = try reader.bytes(1)
            #expect(try bytes.next() == nil)
            #expect(try bytes.previous() == nil)
        }
        try space.checkStructure(space.publishedVersion)
    }

    @Test func `the smallest and the largest key are valid keys`() throws {
        let space = PageSpace()
        try put([.max, 0, .max - 1, 1], in: space)
        let reader = space.working
        #expect(try reader.get(Self.tree, 0)?.first == 0)
        #expect(try reader.get(Self.tree, .max)?.first == .max)
        var cursor = try reader.words(Self.tree, from: .max)
        #expect(try cursor.next()?.key == .max)
        #expect(try cursor.next() == nil)
        #expect(try cursor.previous()?.key == .max)
        #expect(try cursor.previous()?.key == .max - 1)
    }

    @Test func `rising and falling keys fill their pages`() throws {
        let rising = Array(1...100_000 as ClosedRange<UInt64>)
        for keys in [rising, rising.reversed()] {
            let space = PageSpace()
            try put(keys, in: space)
            // 169 entries fit in a leaf: 592 leaves, 2 inner pages and their root, the catalog.
            #expect(space.usedPageCount <= 597)
            #expect(try space.working.count(Self.tree) == 100_000)
            try space.checkStructure(space.publishedVersion)
        }
    }

    @Test func `a rising run between other keys fills its pages too`() throws {
        let space = PageSpace()
        try put([1, 1 << 40], in: space)
        try put((1 << 20)..<((1 << 20) + 50_000), in: space)
        #expect(space.usedPageCount <= 50_000 / 169 + 8)
        try space.checkStructure(space.publishedVersion)
    }

    @Test(arguments: Seeds.first(2)) func `sparse keys leave pages at least half full`(
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        let space = PageSpace()
        for _ in 0..<20 { try put((0..<2_000).map { _ in generator.next() }, in: space) }
        #expect(space.usedPageCount <= 2 * 40_000 / 169 + 10, "seed \(seed)")
        try space.checkStructure(space.publishedVersion)
    }

    @Test func `put returns the previous value and remove the removed value`() throws {
        let space = PageSpace()
        let one = WordValue(first: 1, second: 10)
        let two = WordValue(first: 2, second: 20)
        space.begin(sequence: 1)
        #expect(try space.put(Self.tree, 5, one) == nil)
        #expect(try space.put(Self.tree, 5, two) == one)
        #expect(try space.remove(Self.tree, 6) == nil)
        #expect(try space.remove(Self.tree, 5) == two)
        #expect(try space.remove(Self.tree, 5) == nil)
        space.publish(space.end())
        #expect(try space.working.count(Self.tree) == 0)
        #expect(try space.working.trees() == [])
    }

    @Test func `removing a missing key copies no pages`() throws {
        let space = PageSpace()
        try put(1...1_000, in: space)
        let version = space.publishedVersion
        space.begin(sequence: 2)
        #expect(try space.remove(Self.tree, 5_000) == nil)
        #expect(try space.remove(99, 1) == nil)
        let next = space.end()
        #expect(next.catalog == version.catalog)
        #expect(next.sequence == 2)
    }

    @Test(arguments: Seeds.first(2)) func `removing all entries frees all pages`(
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        let space = PageSpace()
        var keys = (0..<20_000).map { _ in generator.next() % 100_000 }
        try put(keys, in: space)
        keys.shuffle(using: &generator)
        for part in 0..<4 {
            space.begin(sequence: space.working.sequence + 1)
            for index in (part * 5_000)..<(part * 5_000 + 5_000) {
                try space.remove(Self.tree, keys[index])
            }
            space.publish(space.end())
            try space.checkStructure(space.publishedVersion)
        }
        #expect(space.usedPageCount == 0, "seed \(seed)")
        #expect(space.publishedVersion.catalog == 0)
        // The next transactions find that the old pages are unreachable.
        for _ in 0..<3 { try put([], in: space) }
        #expect(space.retiredPageCount < 64)
    }

    @Test func `removing most entries of a tree merges its pages`() throws {
        let space = PageSpace()
        try put(1...100_000, in: space)
        let before = space.usedPageCount
        space.begin(sequence: 2)
        for key in 1...100_000 as ClosedRange<UInt64> where key % 20 != 0 {
            try space.remove(Self.tree, key)
        }
        space.publish(space.end())
        try space.checkStructure(space.publishedVersion)
        #expect(space.usedPageCount < before / 5)
        #expect(try space.working.count(Self.tree) == 5_000)
    }

    @Test func `an emptied tree may change its kind`() throws {
        let space = PageSpace()
        try put([1], in: space)
        space.begin(sequence: 2)
        #expect(throws: DaybookError.self) { try space.insert(Self.tree, 1, 2) }
        try space.remove(Self.tree, 1)
        #expect(try space.insert(Self.tree, 1, 2))
        space.publish(space.end())
        try space.withPinned { reader throws in
            #expect(try reader.contains(Self.tree, 1, 2))
            #expect(throws: DaybookError.self) { try reader.get(Self.tree, 1) }
        }
    }

    @Test func `many trees exist in one space`() throws {
        let space = PageSpace()
        for sequence in 1...3 as ClosedRange<UInt64> {
            space.begin(sequence: sequence)
            for tree in 0..<3_000 as Range<TreeID> {
                try space.put(
                    tree &* 2_654_435_761, sequence, WordValue(first: UInt64(tree), second: 0))
            }
            space.publish(space.end())
        }
        try space.withPinned { reader throws in
            #expect(try reader.trees().count == 3_000)
            for tree in 0..<3_000 as Range<TreeID> {
                #expect(try reader.count(tree &* 2_654_435_761) == 3)
                #expect(try reader.get(tree &* 2_654_435_761, 2)?.first == UInt64(tree))
            }
        }
        try space.checkStructure(space.publishedVersion)
    }
}
