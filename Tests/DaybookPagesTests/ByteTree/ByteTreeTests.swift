import DaybookBytes
import DaybookPages
import DaybookTesting
import DaybookTestSupport
import Testing

struct ByteTreeTests {
    private static let tree: TreeID = 2

    /// Puts all keys in one transaction, with their index as value.
    private func put(_ keys: [[UInt8]], in space: PageSpace) throws {
        space.begin(sequence: space.working.sequence + 1)
        for (index, key) in keys.enumerated() {
            try space.put(Self.tree, bytes: key.span, UInt64(index))
        }
        space.publish(space.end())
    }

    private func keys(_ space: PageSpace) throws -> [[UInt8]] {
        var cursor = try space.working.bytes(Self.tree)
        var keys: [[UInt8]] = []
        while let entry = try cursor.next() { keys.append(entry.key) }
        return keys
    }

    private func expectAll(
        _ wanted: [[UInt8]], in space: PageSpace, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try space.checkStructure(space.publishedVersion)
        #expect(
            try keys(space) == wanted.sorted { $0.precedes($1) },
            sourceLocation: sourceLocation)
        for (index, key) in wanted.enumerated() {
            #expect(
                try space.working.get(Self.tree, bytes: key.span) == UInt64(index),
                sourceLocation: sourceLocation)
        }
    }

    @Test func `the empty key and prefixes of other keys are distinct keys`() throws {
        let space = PageSpace()
        let keys = (0..<600).map { [UInt8](repeating: 0, count: $0) }
        try put(keys.reversed().map { $0 }, in: space)
        try put(keys, in: space)
        try expectAll(keys, in: space)
        #expect(try space.working.get(Self.tree, bytes: [0, 1].span) == nil)
    }

    @Test func `trailing zero bytes make keys distinct`() throws {
        let space = PageSpace()
        let keys: [[UInt8]] = [
            [], [0], [0, 0], [0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 1],
        ]
        try put(keys, in: space)
        try expectAll(keys, in: space)
    }

    @Test func `rising strings fill their pages`() throws {
        let space = PageSpace()
        let keys = (100_000..<130_000).map { Array("customer-\($0)@example.com".utf8) }
        try put(keys, in: space)
        // 27 bytes per key, of which a page does not share about 12: 28 bytes with slot and value.
        #expect(space.usedPageCount <= 30_000 * 32 / 4_000)
        try expectAll(keys, in: space)
    }

    @Test func `falling strings fill their pages`() throws {
        let space = PageSpace()
        let keys = (100_000..<110_000).reversed().map { Array("customer-\($0)@example.com".utf8) }
        try put(keys, in: space)
        #expect(space.usedPageCount <= 10_000 * 36 / 4_000)
        try expectAll(keys, in: space)
    }

    @Test func `keys of a megabyte that differ only at the end are distinct`() throws {
        let space = PageSpace()
        let keys = (0..<8).map { index in
            var key = [UInt8](repeating: 0x61, count: 1 << 20)
            key[key.count - 1] = UInt8(index * 31 % 251)
            return key
        }
        try put(keys, in: space)
        try expectAll(keys, in: space)
        let neighbour = [UInt8](repeating: 0x61, count: (1 << 20) - 1)
        #expect(try space.working.get(Self.tree, bytes: neighbour.span) == nil)
        space.begin(sequence: 2)
        for (index, key) in keys.enumerated() {
            #expect(try space.remove(Self.tree, bytes: key.span) == UInt64(index))
        }
        space.publish(space.end())
        #expect(space.usedPageCount == 0)
    }

    @Test(arguments: Seeds.first(2)) func `long common prefixes do not overfill pages`(
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        for length in [900, 958, 961, 1_030, 4_090] {
            let space = PageSpace()
            let start = [UInt8](repeating: 0x7A, count: length)
            var keys: [[UInt8]] = (0..<200).map { index in
                start + [UInt8(index >> 8), UInt8(index & 255)]
            }
            // Some keys end early and some diverge.
            for index in 0..<50 { keys.append(Array(start[0..<(index * length / 50)])) }
            for index in 0..<50 {
                keys.append(Array(start[0..<(index * length / 50)]) + [UInt8(index)])
            }
            keys.shuffle(using: &generator)
            try put(keys, in: space)
            try expectAll(keys, in: space)
            keys.shuffle(using: &generator)
            space.begin(sequence: 2)
            for key in keys[100...] { #expect(try space.remove(Self.tree, bytes: key.span) != nil) }
            space.publish(space.end())
            try space.checkStructure(space.publishedVersion)
            #expect(try space.working.count(Self.tree) == 100, "seed \(seed), length \(length)")
        }
    }

    @Test func `keys of the maximum inline length share a page`() throws {
        let space = PageSpace()
        let keys = (0..<200).map { index in
            [UInt8(index)] + [UInt8](repeating: UInt8(index), count: 959)
        }
        try put(keys, in: space)
        try expectAll(keys, in: space)
        #expect(space.usedPageCount <= 200 / 2 + 20)
    }

    @Test func `a key that is too long is rejected and changes nothing`() throws {
        let space = PageSpace()
        try put([[1]], in: space)
        space.begin(sequence: 2)
        let key = [UInt8](repeating: 0, count: (1 << 24) + 1)
        let error = #expect(throws: DaybookError.self) {
            try space.put(Self.tree, bytes: key.span, 1)
        }
        #expect(error?.code == .invalidValue)
        space.publish(space.end())
        try expectAll([[1]], in: space)
    }

    @Test(arguments: Seeds.first(2)) func `removing in random order frees pages`(
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        let space = PageSpace()
        var keys = (0..<20_000).map { Array("name \($0 &* 7_919 % 20_000), of some length".utf8) }
        try put(keys, in: space)
        let full = space.usedPageCount
        keys.shuffle(using: &generator)
        for part in 0..<4 {
            space.begin(sequence: space.working.sequence + 1)
            for key in keys[(part * 5_000)..<(part * 5_000 + 5_000)] {
                #expect(try space.remove(Self.tree, bytes: key.span) != nil)
            }
            space.publish(space.end())
            try space.checkStructure(space.publishedVersion)
            // With a quarter of the keys, at most twice the proportional number of pages.
            if part == 2 { #expect(space.usedPageCount < full / 2, "seed \(seed)") }
        }
        #expect(space.usedPageCount == 0, "seed \(seed)")
    }

    @Test func `values come in batches up to a bound, in both directions`() throws {
        let space = PageSpace()
        try put((0..<5_000).map { [UInt8($0 >> 8), UInt8($0 & 255)] }, in: space)
        var values: [UInt64] = []
        var cursor = try space.working.bytes(Self.tree, from: [1, 0])
        #expect(try cursor.next(valuesInto: &values, limit: 100, before: [3, 0]) == 100)
        #expect(try cursor.next(valuesInto: &values, limit: 1_000, before: [3, 0]) == 412)
        #expect(try cursor.next(valuesInto: &values, limit: 1_000, before: [3, 0]) == 0)
        #expect(values == (256..<768).map { UInt64($0) })
        values = []
        #expect(try cursor.previous(valuesInto: &values, limit: 1_000, notBelow: [2, 0]) == 256)
        #expect(values == (512..<768).reversed().map { UInt64($0) })
        values = []
        #expect(try cursor.previous(valuesInto: &values, limit: 10_000) == 512)
        #expect(try cursor.next(valuesInto: &values, limit: 10_000) == 5_000)
    }
}
