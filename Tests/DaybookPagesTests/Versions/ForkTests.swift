import DaybookBytes
import DaybookTestSupport
import Testing

@testable import DaybookPages
import DaybookTesting

struct ForkTests {
    private static let tree: TreeID = 1

    private func filled(_ count: UInt64) throws -> PageSpace {
        let space = PageSpace()
        space.begin(sequence: 1)
        for key in 1...count { try space.put(Self.tree, key, WordValue(first: key, second: 1)) }
        space.publish(space.end())
        return space
    }

    @Test(arguments: Seeds.first(2), RandomHistory.Keys.allCases)
    func `a fork and its base change independently`(
        seed: UInt64, keys: RandomHistory.Keys
    ) throws {
        var base = RandomHistory(keys: keys, seed: seed)
        for _ in 0..<8 { try base.commit(300, removing: 20) }
        var forks: [RandomHistory] = []
        for round in 0..<24 {
            if round % 6 == 0 {
                var fork = RandomHistory(
                    continuing: base, in: PageSpace.fork(of: base.space.pin()))
                fork.generator = SeededGenerator(seed: seed + UInt64(round) + 100)
                forks.append(fork)
            }
            let size = Int.random(in: 1...300, using: &base.generator)
            try base.commit(size, removing: round < 12 ? 20 : 75)
            for index in forks.indices {
                try forks[index].commit(size / 2, removing: round < 6 ? 20 : 75)
            }
            guard round % 5 == 0 else { continue }
            let all = forks + [base]
            for history in all {
                try history.model.expectEqual(
                    history.space.working, "seed \(seed), round \(round)")
                try history.space.checkStructure(history.space.publishedVersion)
            }
        }
        // A fork of a fork; the first is released before the second.
        if let fork = forks.first {
            var second = RandomHistory(continuing: fork, in: PageSpace.fork(of: fork.space.pin()))
            forks.removeAll()
            for _ in 0..<4 { try second.commit(200, removing: 50) }
            try second.model.expectEqual(second.space.working, "seed \(seed), the second")
            try second.space.checkStructure(second.space.publishedVersion)
        }
    }

    @Test func `a fork outlives the references to its base`() throws {
        weak var gone: PageSpace?
        var fork: PageSpace?
        do {
            let space = try filled(20_000)
            gone = space
            fork = PageSpace.fork(of: space.pin())
        }
        #expect(gone != nil)
        let kept = try #require(fork)
        kept.begin(sequence: 2)
        for key in 1...100 as ClosedRange<UInt64> { try kept.remove(Self.tree, key * 7) }
        kept.publish(kept.end())
        #expect(try kept.working.count(Self.tree) == 19_900)
        #expect(try kept.working.get(Self.tree, 19_999)?.first == 19_999)
        fork = nil
        try kept.checkStructure(kept.publishedVersion)
    }

    @Test func `a fork releases its base`() throws {
        let space = try filled(5_000)
        var fork: PageSpace? = PageSpace.fork(of: space.pin())
        #expect(try fork?.working.get(Self.tree, 4_999)?.first == 4_999)
        #expect(space.isRead)
        fork = nil
        #expect(!space.isRead)
        #expect(try space.working.get(Self.tree, 4_999)?.first == 4_999)
    }

    @Test func `a fork takes memory only for its changes`() throws {
        let space = try filled(200_000)
        let fork = PageSpace.fork(of: space.pin())
        fork.begin(sequence: 2)
        for key in 1...20 as ClosedRange<UInt64> {
            try fork.put(Self.tree, key * 9_000, WordValue(first: 0, second: 2))
        }
        fork.publish(fork.end())
        // One leaf for each change, and the few pages above them.
        #expect(fork.ownByteCount <= 3 * GroupMemory.length)
        #expect(space.ownByteCount > 30 * fork.ownByteCount)
        for key in 1...20 as ClosedRange<UInt64> {
            #expect(try fork.working.get(Self.tree, key * 9_000)?.second == 2)
            #expect(try space.working.get(Self.tree, key * 9_000)?.second == 1)
        }
    }

    @Test(arguments: Seeds.first(2))
    func `a fork reads groups that its base has not loaded yet`(seed: UInt64) throws {
        var history = RandomHistory(keys: .dense, seed: seed)
        for _ in 0..<10 { try history.commit(500, removing: 20) }
        let file = CountingFile()
        _ = try history.space.capture().write(to: file, metadata: [])
        let opened = try PageSpace.open(snapshot: file).space
        #expect(opened.residentGroupCount == 0)
        var fork = RandomHistory(continuing: history, in: PageSpace.fork(of: opened.pin()))
        for _ in 0..<5 { try fork.commit(100, removing: 60) }
        try fork.model.expectEqual(fork.space.working, "seed \(seed)")
        try fork.space.checkStructure(fork.space.publishedVersion)
        // The base continues with the free pages of groups that it loaded for the fork.
        var base = RandomHistory(continuing: history, in: opened)
        for _ in 0..<5 { try base.commit(300, removing: 40) }
        try base.model.expectEqual(base.space.working, "seed \(seed)")
        try fork.model.expectEqual(fork.space.working, "seed \(seed), behind the base's changes")
        try base.space.checkStructure(base.space.publishedVersion)
    }

    @Test func `a damaged group of the base's snapshot is a typed error in a fork`()
        throws
    {
        let space = try filled(30_000)
        let file = CountingFile()
        _ = try space.capture().write(to: file, metadata: [])
        let opened = try PageSpace.open(snapshot: file).space
        let entry = try #require(opened.loader?.entry(of: 3))
        file.damage(at: entry.offset + entry.storedLength / 2) { $0 ^= 1 }
        let fork = PageSpace.fork(of: opened.pin())
        let error = #expect(throws: DaybookError.self) {
            var cursor = try fork.working.words(Self.tree)
            while try cursor.next() != nil {}
        }
        #expect(error?.code == .corruption)
        #expect(error?.details["snapshot"] == "group")
    }

    @Test(.timeLimit(.minutes(30)))
    func `forks are created and changed while the base changes`() async throws {
        let space = try filled(20_000)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for sequence in 2...200 as ClosedRange<UInt64> {
                    space.begin(sequence: sequence)
                    for step in 0..<20 as Range<UInt64> {
                        let key = (sequence * 131 + step * 977) % 20_000 + 1
                        try space.put(Self.tree, key, WordValue(first: key, second: sequence))
                    }
                    space.publish(space.end())
                }
            }
            for number in 1...2 as ClosedRange<UInt64> {
                group.addTask {
                    for round in 0..<8 as Range<UInt64> {
                        let fork = PageSpace.fork(of: space.pin())
                        let last = fork.publishedVersion.sequence
                        fork.begin(sequence: last + 1)
                        for key in stride(from: number, through: 20_000, by: 500) {
                            try fork.put(Self.tree, key, WordValue(first: key, second: 1_000))
                        }
                        fork.publish(fork.end())
                        var cursor = try fork.working.words(Self.tree)
                        var count = 0
                        while let (key, value) = try cursor.next() {
                            count += 1
                            guard value.first == key, value.second == 1_000 || value.second <= last
                            else { throw WrongAnswer(key: key, round: round) }
                        }
                        #expect(count == 20_000)
                    }
                }
            }
            try await group.waitForAll()
        }
        try space.checkStructure(space.publishedVersion)
    }

    private struct WrongAnswer: Error {
        let key: UInt64
        let round: UInt64
    }
}
