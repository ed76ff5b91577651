import DaybookBytes
@testable import DaybookPages
import DaybookTestSupport
import Testing

/// Page names, and the cache of derived data.
@Suite struct DerivedPageCacheTests {
    private final class Note: Sendable {
        let text: String

        init(_ text: String) { self.text = text }
    }

    /// The entries of each leaf of the tree of words, by page name.
    private func leaves(_ reader: PageReader) throws -> [PageName: [DaybookPages.WordEntry]] {
        var leaves: [PageName: [DaybookPages.WordEntry]] = [:]
        var walk = try reader.leaves(ModelTree.wordTree)
        while let leaf = try walk.nextLeaf() {
            var entries = [DaybookPages.WordEntry](repeating: .init(), count: leaf.count)
            #expect(leaf.copy(0...UInt64.max, into: &entries, from: 0) == leaf.count)
            #expect(entries.allSatisfy { leaf.keys.contains($0.key) })
            leaves[leaf.name] = entries
        }
        return leaves
    }

    private func isSame(_ one: [DaybookPages.WordEntry], _ other: [DaybookPages.WordEntry]) -> Bool
    {
        one.elementsEqual(other) { $0.key == $1.key && $0.value == $1.value }
    }

    /// Pages are reused all the time here, because no version is retained for long.
    @Test(arguments: Seeds.first(3 * Seeds.rounds), RandomHistory.Keys.allCases)
    func `different contents of a page never share a name`(
        seed: UInt64, keys: RandomHistory.Keys
    ) throws {
        var history = RandomHistory(keys: keys, seed: seed)
        var known: [PageName: [DaybookPages.WordEntry]] = [:]
        var births: [UInt32: Set<UInt64>] = [:]
        var pins: [PagePin] = []
        for round in 0..<60 {
            let size = Int.random(in: 1...120, using: &history.generator)
            try history.commit(size, removing: round < 30 ? 20 : 70)
            if round % 5 == 0 { pins.append(history.space.pin()) }
            if pins.count > 2 { pins.removeFirst() }
            for reader in [history.space.pin().reader, history.space.working] {
                for (name, entries) in try leaves(reader) {
                    let before = known.updateValue(entries, forKey: name)
                    births[name.number, default: []].insert(name.birth)
                    #expect(
                        before.map { isSame($0, entries) } ?? true,
                        "seed \(seed), round \(round): \(name)")
                }
            }
        }
        #expect(births.values.contains { $0.count > 1 }, "seed \(seed): no page was used again")
    }

    @Test func `later pages never reuse the names of snapshot pages`() throws {
        var history = RandomHistory(keys: .dense, seed: 7)
        for _ in 0..<4 { try history.commit(600, removing: 10) }
        let file = CountingFile()
        _ = try history.space.capture().write(to: file, metadata: [])
        let space = try PageSpace.open(snapshot: file).space
        var later = RandomHistory(continuing: history, in: space)
        var known = try leaves(space.pin().reader)
        #expect(known.keys.allSatisfy { $0.birth == 0 })
        for round in 0..<30 {
            try later.commit(150, removing: 40)
            for (name, entries) in try leaves(space.pin().reader) {
                let before = known.updateValue(entries, forKey: name)
                #expect(before.map { isSame($0, entries) } ?? true, "round \(round): \(name)")
            }
        }
    }

    @Test(arguments: Seeds.first(2), RandomHistory.Keys.allCases)
    func `the leaves contain the entries of a cursor, from any key on`(
        seed: UInt64, keys: RandomHistory.Keys
    ) throws {
        var history = RandomHistory(keys: keys, seed: seed)
        for size in [0, 40, 3000, 9000] {
            try history.commit(size, removing: 10)
            let reader = history.space.working
            let all = history.model.words.keys.sorted()
            for _ in 0..<10 {
                let first =
                    (all.randomElement(using: &history.generator) ?? 3)
                    &+ .random(in: 0...1, using: &history.generator)
                let last = max(first, all.randomElement(using: &history.generator) ?? .max)
                var walk = try reader.leaves(ModelTree.wordTree, from: first)
                var entries = [DaybookPages.WordEntry](repeating: .init(), count: 200)
                var found: [DaybookPages.WordEntry] = []
                var behind: UInt64?
                while let leaf = try walk.nextLeaf() {
                    // Leaves are adjacent.
                    if let behind { #expect(leaf.keys.lowerBound == behind) }
                    behind = leaf.keys.upperBound &+ 1
                    let count = leaf.copy(first...last, into: &entries, from: 0)
                    found += entries[..<count]
                }
                #expect(
                    found.map(\.key) == all.filter { $0 >= first && $0 <= last },
                    "seed \(seed), \(size) changes")
                #expect(
                    found.map(\.value) == found.map { history.model.words[$0.key] },
                    "seed \(seed), \(size) changes")
            }
        }
    }

    /// Names of more pages than a shard can contain.
    private func names(_ count: Int) throws -> [PageName] {
        let space = PageSpace()
        space.begin(sequence: 1)
        for key in 0..<UInt64(count * 170) {
            try space.put(ModelTree.wordTree, key, WordValue(first: key, second: 0))
        }
        space.publish(space.end())
        return Array(try leaves(space.pin().reader).keys.prefix(count))
    }

    @Test func `a cache is trimmed to a budget`() throws {
        let names = try names(200)
        let notes = DerivedPageCache()
        let round = notes.beginRound()
        for name in names {
            #expect(
                notes.keep(Note("n"), byteCount: 1000, on: name, in: round, budgetBytes: 1 << 24))
        }
        let used = notes.usedBytes
        #expect(!notes.trim(toBytes: 1 << 24))
        #expect(notes.usedBytes == used)
        #expect(notes.trim(toBytes: used / 2))
        #expect(notes.usedBytes <= used / 2)
        let kept = names.count { notes.value(of: $0, in: round) != nil }
        #expect(kept > 0 && kept <= 100)
        #expect(notes.trim(toBytes: 0))
        #expect(notes.usedBytes == 0)
        #expect(names.allSatisfy { notes.value(of: $0, in: round) == nil })
    }

    @Test func `a cached value is found by its page name until it is replaced`() throws {
        let names = try names(2)
        let notes = DerivedPageCache()
        let round = notes.beginRound()
        #expect(notes.value(of: names[0], in: round) == nil)
        #expect(
            notes.keep(Note("one"), byteCount: 10, on: names[0], in: round, budgetBytes: 1 << 20))
        #expect((notes.value(of: names[0], in: round) as? Note)?.text == "one")
        #expect(notes.value(of: names[1], in: round) == nil)
        let used = notes.usedBytes
        #expect(
            notes.keep(Note("two"), byteCount: 20, on: names[0], in: round, budgetBytes: 1 << 20))
        #expect((notes.value(of: names[0], in: round) as? Note)?.text == "two")
        #expect(notes.usedBytes == used + 10)
        // A value without room also removes the older value.
        #expect(
            !notes.keep(
                Note("three"), byteCount: 1 << 20, on: names[0], in: round, budgetBytes: 1 << 20))
        #expect(notes.value(of: names[0], in: round) == nil)
        #expect(notes.usedBytes == 0)
        notes.removeAll()
    }

    @Test func `values in use stay cached, and unused ones are evicted`() throws {
        let names = try names(400)
        let notes = DerivedPageCache()
        let budget = 16 * 20 * 1000
        var round = notes.beginRound()
        func keep(_ name: PageName) -> Bool {
            notes.keep(
                Note("\(name)"), byteCount: 900, on: name, in: round, budgetBytes: budget)
        }
        let kept = names.filter { keep($0) }
        #expect(kept.count > 50 && kept.count < 400)
        #expect(notes.usedBytes <= budget)
        // The cached values stay in use, so new ones get no room.
        for _ in 0..<20 {
            round = notes.beginRound()
            for name in kept { #expect(notes.value(of: name, in: round) != nil) }
            for name in names where !kept.contains(name) { #expect(!keep(name)) }
        }
        // When the old values are no longer used, new ones get their room.
        for _ in 0...DerivedPageCache.roundCountKept { round = notes.beginRound() }
        let others = names.filter { !kept.contains($0) && keep($0) }
        #expect(!others.isEmpty)
        for name in others { #expect(notes.value(of: name, in: round) != nil) }
        #expect(notes.usedBytes <= budget)
    }

    @Test func `a replaced space releases its cache`() throws {
        let history = RandomHistory(keys: .dense, seed: 3)
        let notes = history.space.pinVersion().notes
        let name = try names(1)[0]
        #expect(notes.keep(Note("x"), byteCount: 1, on: name, in: 1, budgetBytes: 1 << 20))
        history.space.discardPages()
        #expect(notes.usedBytes == 0)
    }
}
