import DaybookBytes
import DaybookTesting
import DaybookTestSupport
import Testing

@testable import DaybookPages

/// Pages that a snapshot contains leave the memory and return.
struct EvictionTests {
    private static let tree: TreeID = 1
    private static let count: UInt64 = 40_000

    private func put(_ keys: some Sequence<UInt64>, _ value: UInt64, in space: PageSpace) throws {
        space.begin(sequence: space.working.sequence + 1)
        for key in keys {
            try space.put(Self.tree, key, WordValue(first: key, second: value))
        }
        space.publish(space.end())
    }

    /// Some 15 groups, all in an adopted snapshot.
    private func makeSpace() throws -> (space: PageSpace, file: CountingFile) {
        let space = PageSpace()
        try put(1...Self.count, 1, in: space)
        return (space, try space.save())
    }

    @Test func `an evicted group is linked again without a read until it is freed`() throws {
        let (space, file) = try makeSpace()
        let groupCount = space.residentGroupCount
        #expect(groupCount > 10)
        let before = file.readCount
        let pin = space.pin()
        space.trim(to: 1)
        // The catalog stays.
        #expect(space.residentGroupCount <= 2)
        #expect(space.memoryGroupCount == groupCount)
        let value = try space.withPinned { reader throws in try reader.get(Self.tree, 20_000) }
        #expect(value?.first == 20_000)
        #expect(file.readCount == before)

        withExtendedLifetime(pin) {}
    }

    @Test func `freed groups are read from the snapshot`() throws {
        let (space, file) = try makeSpace()
        let before = file.readCount
        space.trim(to: 1)
        #expect(space.memoryGroupCount <= 2)
        for key in stride(from: 1, through: Self.count, by: 997) {
            let value = try space.withPinned { reader throws in try reader.get(Self.tree, key) }
            #expect(value?.first == key)
        }
        #expect(file.readCount > before + 5)
        try space.checkStructure(space.publishedVersion)
    }

    @Test func `memory is freed only when all readers of older versions have left`() throws {
        let (space, _) = try makeSpace()
        let groupCount = space.memoryGroupCount
        var pin: PagePin? = space.pin()
        var cursor = try pin!.reader.words(Self.tree)
        _ = try cursor.next()
        try space.withPinned { reader throws in
            space.trim(to: 1)
            pin = nil
            space.freeEvicted(budgetBytes: 0)
            #expect(space.memoryGroupCount == groupCount)
            #expect(try reader.get(Self.tree, 7)?.first == 7)
        }
        let later = space.pin()
        space.freeEvicted(budgetBytes: 0)
        #expect(space.memoryGroupCount < groupCount / 2)
        withExtendedLifetime(later) {}
    }

    @Test func `a cursor stays valid while its pages are evicted`() throws {
        var history = RandomHistory(keys: .sparse, seed: 3)
        for _ in 0..<8 { try history.commit(600, removing: 10) }
        let space = history.space
        try space.save()
        let pin = space.pin()
        var cursor = try pin.reader.bytes(ModelTree.byteTree)
        var keys: [[UInt8]] = []
        while let entry = try cursor.next() {
            keys.append(entry.key)
            if keys.count % 50 == 0 { space.trim(to: 1) }
        }
        while let entry = try cursor.previous() {
            #expect(entry.key == keys.removeLast())
            if keys.count % 50 == 0 { space.trim(to: 1) }
        }
        #expect(keys.isEmpty)
    }

    @Test func `pages that changed after the capture stay in memory`() throws {
        let (space, _) = try makeSpace()
        space.trim(to: 1)
        let saved = space.residentGroupCount
        try put(stride(from: 1, through: Self.count, by: 100), 2, in: space)
        let unsaved = space.unsavedByteCount / GroupMemory.length
        #expect(unsaved > 10)
        space.trim(to: 1)
        #expect(space.residentGroupCount >= unsaved)
        try space.save()
        #expect(space.unsavedByteCount == 0)
        space.trim(to: 1)
        #expect(space.residentGroupCount <= saved + 1)
        #expect(space.memoryGroupCount <= saved + 1)
        for key in stride(from: 1, through: Self.count, by: 100) {
            #expect(try space.working.get(Self.tree, key)?.second == 2)
        }
    }

    @Test func `a page that only an older version reaches stays in memory`() throws {
        let (space, _) = try makeSpace()
        let pin = space.pin()
        try put([20_000], 2, in: space)
        let file = try space.save()
        for offset in file.bytes.indices { file.damage(at: offset) { $0 ^= 0xFF } }
        for _ in 0..<3 { space.trim(to: 1) }
        #expect(try pin.reader.get(Self.tree, 20_000)?.second == 1)
    }

    @Test func `groups without used pages are freed at once and created again`() throws {
        let space = PageSpace()
        try put(1...Self.count, 1, in: space)
        let groupCount = space.groupCount
        space.begin(sequence: 2)
        try space.clear(Self.tree)
        space.publish(space.end())
        space.trim(to: 1)
        #expect(space.memoryGroupCount <= 1)
        try put(1...Self.count, 2, in: space)
        #expect(space.groupCount <= groupCount + 1)
        #expect(try space.working.get(Self.tree, 20_000)?.second == 2)
        try space.checkStructure(space.publishedVersion)
    }

    @Test func `kept trees stay in memory`() throws {
        let space = PageSpace()
        try put(1...1_000, 1, in: space)
        space.begin(sequence: 2)
        for key in 1...Self.count { try space.put(9, key, WordValue(first: 0, second: 0)) }
        space.publish(space.end())
        let file = try space.save()
        space.trim(to: 1, keeping: [Self.tree])
        for offset in file.bytes.indices { file.damage(at: offset) { $0 ^= 0xFF } }
        try space.withPinned { reader throws in
            for key in 1...1_000 as ClosedRange<UInt64> {
                #expect(try reader.get(Self.tree, key)?.first == key)
            }
            #expect(throws: DaybookError.self) { try reader.get(9, 20_000) }
        }
    }

    @Test func `a damaged group is an error after its eviction, and harms no other group`() throws {
        let (space, file) = try makeSpace()
        let entry = try #require(space.loader?.entry(of: 7))
        space.trim(to: 1)
        file.damage(at: entry.offset + 3) { $0 ^= 1 }
        var failures = 0
        for key in stride(from: 1, through: Self.count, by: 100) {
            do {
                _ = try space.working.get(Self.tree, key)
            } catch {
                #expect(error.details["snapshot"] == "group")
                #expect(error.details["group"] == "7")
                failures += 1
            }
        }
        #expect(failures > 0 && failures < 100)
    }

    @Test func `a file with another version is not adopted`() throws {
        let (space, file) = try makeSpace()
        try put([5], 2, in: space)
        let capture = space.capture()
        #expect(throws: DaybookError.self) { try capture.reopen(file) }
        space.trim(to: 1)
        #expect(try space.working.get(Self.tree, 5)?.second == 2)
    }

    @Test func `the limit is reported when pages are loaded or created`() throws {
        let (space, _) = try makeSpace()
        space.trim(to: 4)
        let calls = Counter()
        space.callWhenExceeding(6 * GroupMemory.length) { calls.increment() }
        #expect(!space.exceedsLimit)
        for key in stride(from: 1, through: Self.count, by: 997) {
            _ = try space.withPinned { reader throws in try reader.get(Self.tree, key) }
        }
        #expect(space.exceedsLimit)
        let loads = calls.value
        #expect(loads > 0)
        try put(Self.count...(2 * Self.count), 3, in: space)
        #expect(calls.value > loads)
    }

    @Test(arguments: Seeds.first(2), RandomHistory.Keys.allCases)
    func `a space with evictions behaves like dictionaries, and so do pinned versions and forks`(
        seed: UInt64, keys: RandomHistory.Keys
    ) throws {
        var history = RandomHistory(keys: keys, seed: seed)
        let space = history.space
        var held: [(PagePin, ModelTree)] = []
        var fork: RandomHistory?
        for round in 0..<40 {
            let size = Int.random(in: 1...200, using: &history.generator)
            try history.commit(size, removing: round < 25 ? 20 : 75)
            if round % 3 == 0 { try space.save() }
            if round % 2 == 0 {
                space.trim(to: Int.random(in: 1...6, using: &history.generator))
                history.sequence = space.working.sequence
            }
            if round % 7 == 0 { held.append((space.pin(), history.model)) }
            if round % 11 == 0, held.count > 2 {
                let (pin, model) = held.removeFirst()
                try model.expectEqual(pin.reader, "seed \(seed), version \(pin.version.sequence)")
            }
            if round % 20 == 1 {
                let pin = space.pin()
                fork = RandomHistory(continuing: history, in: PageSpace.fork(of: pin))
                fork?.sequence = pin.version.sequence
            }
            try fork?.commit(40, removing: 50)
            if round % 9 == 0 {
                try history.model.expectEqual(space.working, "seed \(seed), round \(round)")
                try space.checkStructure(space.publishedVersion)
            }
            if round % 10 == 9, let fork {
                try fork.model.expectEqual(fork.space.working, "seed \(seed), fork \(round)")
            }
        }
        for (pin, model) in held {
            try model.expectEqual(pin.reader, "seed \(seed), version \(pin.version.sequence)")
        }
        held = []
        fork = nil
        let saved = try space.save()
        let opened = try PageSpace.open(snapshot: saved, checkStructure: true)
        try history.model.expectEqual(opened.space.working, "seed \(seed), opened")
    }

    @Test(arguments: Seeds.first(4))
    func `the name of a page never denotes two contents`(seed: UInt64) throws {
        var history = RandomHistory(keys: .dense, seed: seed)
        for _ in 0..<4 { try history.commit(3_000, removing: 0) }
        let opened = try PageSpace.open(snapshot: try history.space.save())
        history = RandomHistory(continuing: history, in: opened.space)
        let space = history.space
        var contents: [PageName: [DaybookPages.WordEntry]] = [:]
        var repeated = 0
        for round in 0..<40 {
            var leaves = try space.working.leaves(ModelTree.wordTree)
            while let leaf = try leaves.nextLeaf() {
                var entries = Array(
                    repeating: DaybookPages.WordEntry(), count: leaf.count)
                _ = leaf.copy(0...UInt64.max, into: &entries, from: 0)
                if let known = contents[leaf.name] {
                    #expect(known.map(\.key) == entries.map(\.key), "seed \(seed), round \(round)")
                    #expect(known.map(\.value) == entries.map(\.value), "seed \(seed)")
                    repeated += 1
                }
                contents[leaf.name] = entries
            }
            try history.commit(30, removing: 40)
            if round % 3 == 0 {
                try space.save()
                space.trim(to: 1)
                history.sequence = space.working.sequence
            }
        }
        #expect(repeated > 0)
    }
}
