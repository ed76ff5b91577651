import DaybookBytes
import DaybookPages
import DaybookTesting
import DaybookTestSupport
import Testing

/// Reading whole leaves gives the same entries as reading one by one. A failure names its seed.
struct LeafReadingTests {
    private static let tree: TreeID = 5

    private func space(_ keys: [UInt64]) throws -> PageSpace {
        let space = PageSpace()
        space.begin(sequence: 1)
        for key in keys { try space.put(Self.tree, key, WordValue(first: key &* 3, second: 1)) }
        space.publish(space.end())
        return space
    }

    private func keys(_ count: Int, _ generator: inout SeededGenerator) -> [UInt64] {
        let isDense = Bool.random(using: &generator)
        return Array(
            Set((0..<count).map { isDense ? UInt64($0) : generator.next() >> 40 })
        ).sorted()
    }

    @Test(arguments: Seeds.first(12))
    func `reading by page gives the entries of a cursor`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let keys = keys(.random(in: 0...3000, using: &generator), &generator)
        let space = try space(keys)
        defer { withExtendedLifetime(space) {} }
        let reader = space.working
        for _ in 0..<20 {
            let first = (keys.randomElement(using: &generator) ?? 0) &+ .random(in: 0...1)
            let last =
                Bool.random(using: &generator)
                ? .max : (keys.randomElement(using: &generator) ?? 9) &+ .random(in: 0...1)
            var cursor = try reader.words(Self.tree, from: first)
            let size = Int.random(in: 1...400, using: &generator)
            var entries = [DaybookPages.WordEntry](repeating: .init(), count: size)
            var found: [UInt64] = []
            while true {
                let start = Int.random(in: 0..<size, using: &generator)
                let count = try cursor.next(into: &entries, from: start, through: last)
                guard count > 0 else { break }
                for entry in entries[start..<(start + count)] {
                    #expect(entry.value == WordValue(first: entry.key &* 3, second: 1))
                    found.append(entry.key)
                }
            }
            #expect(found == keys.filter { $0 >= first && $0 <= last }, "seed \(seed)")
            #expect(try cursor.next(into: &entries, from: size) == 0)
        }
    }

    @Test(arguments: Seeds.first(8))
    func `a batch lookup gives the entries of single lookups`(
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        let keys = keys(.random(in: 0...3000, using: &generator), &generator)
        let space = try space(keys)
        defer { withExtendedLifetime(space) {} }
        let reader = space.working
        var asked = keys.filter { _ in Bool.random(using: &generator) } + [.max, 0, 7]
        if Bool.random(using: &generator) { asked.shuffle(using: &generator) }
        var entries: [DaybookPages.WordEntry] = []
        try reader.get(Self.tree, asked[...], into: &entries)
        let known = Set(keys)
        #expect(entries.map(\.key) == asked.filter { known.contains($0) }, "seed \(seed)")
        #expect(entries.allSatisfy { $0.value.first == $0.key &* 3 }, "seed \(seed)")
        try reader.get(99, asked[...], into: &entries)
        #expect(entries.count == asked.filter { known.contains($0) }.count)
    }

    @Test(arguments: [0, 1, 169, 400, 5_000, 60_000])
    func `a tree is divided into parts of similar size`(count: Int) throws {
        let keys = (0..<UInt64(count)).map { $0 * 2 + 10 }
        let space = try space(keys)
        let cuts = try withExtendedLifetime(space) { try $0.working.cuts(Self.tree, into: 8) }
        #expect(cuts == cuts.sorted() && Set(cuts).count == cuts.count)
        #expect(cuts.count == (count >= 5_000 ? 7 : count < 400 ? 0 : cuts.count))
        let ends = cuts + [.max]
        var sizes: [Int] = []
        var start: UInt64 = 0
        for end in ends {
            sizes.append(keys.count { $0 >= start && $0 < end })
            start = end
        }
        #expect(sizes.reduce(0, +) == count)
        if count >= 5_000 { #expect(sizes.allSatisfy { $0 > count / 16 && $0 < count / 4 }) }
    }

    @Test(arguments: Seeds.first(12))
    func `counting by leaf equals counting by entry`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let space = PageSpace()
        space.begin(sequence: 1)
        var keys: Set<[UInt8]> = []
        for _ in 0..<Int.random(in: 0...2000, using: &generator) {
            // Some keys are too long for a cell.
            let length = Int.random(in: 0..<20, using: &generator) == 0 ? 1200 : 0
            keys.insert(
                [UInt8](repeating: 7, count: length)
                    + (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                        UInt8.random(in: 0...9, using: &generator)
                    })
        }
        for key in keys { try space.put(Self.tree, bytes: key.span, 1) }
        space.publish(space.end())
        let sorted = keys.sorted { $0.precedes($1) }
        for _ in 0..<40 {
            let lower =
                (sorted.randomElement(using: &generator) ?? [1])
                + (Bool.random(using: &generator) ? [0] : [])
            let end =
                Int.random(in: 0..<5, using: &generator) == 0
                ? nil : (sorted.randomElement(using: &generator) ?? [5]) + [3]
            let wanted = sorted.filter { key in
                !key.precedes(lower)
                    && end.map { key.precedes($0) } ?? true
            }
            var cursor = try space.working.bytes(Self.tree, from: lower)
            #expect(try cursor.count(before: end) == wanted.count, "seed \(seed)")
            let next = sorted.first { key in
                !key.precedes(lower)
                    && end.map { !key.precedes($0) } ?? false
            }
            #expect(try cursor.next()?.key == next, "seed \(seed)")
            cursor = try space.working.bytes(Self.tree, from: lower)
            #expect(
                try cursor.count(before: end, limit: 5) == min(5, wanted.count), "seed \(seed)")
        }
    }
}
