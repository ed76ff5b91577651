import DaybookBytes
import DaybookPages
import DaybookTesting
import DaybookTestSupport
import Foundation
import Synchronization
import Testing

/// Readers on several threads and a writer; also run it with `--sanitize=thread`.
struct ConcurrencyTests {
    private static let accounts: TreeID = 1
    private static let links: TreeID = 2
    private static let names: TreeID = 3
    private static let accountCount: UInt64 = 2_000

    /// Runs `body` on `count` threads. The returned closure waits for all of them.
    private func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) -> () -> Void {
        let group = DispatchGroup()
        for index in 0..<count {
            group.enter()
            Thread.detachNewThread {
                body(index)
                group.leave()
            }
        }
        return { group.wait() }
    }

    /// Creates accounts with a constant total balance.
    private func makeSpace() throws -> PageSpace {
        let space = PageSpace()
        space.begin(sequence: 1)
        for account in 1...Self.accountCount {
            try space.put(Self.accounts, account, WordValue(first: 1_000, second: 1))
        }
        space.publish(space.end())
        return space
    }

    /// Moves amounts between accounts and records the transaction in the other trees.
    private func transfer(_ space: PageSpace, _ generator: inout SeededGenerator) throws
        -> PageVersion
    {
        let sequence = space.working.sequence + 1
        space.begin(sequence: sequence)
        for _ in 0..<20 {
            let from = UInt64.random(in: 1...Self.accountCount, using: &generator)
            let to = UInt64.random(in: 1...Self.accountCount, using: &generator)
            let amount = UInt64.random(in: 0...50, using: &generator)
            for (account, change) in [(from, 0 &- amount), (to, amount)] {
                let old = try space.working.get(Self.accounts, account)!
                let new = WordValue(first: old.first &+ change, second: sequence)
                try space.put(Self.accounts, account, new)
            }
        }
        try space.insert(Self.links, sequence % 50, sequence)
        if sequence > 300 { try space.remove(Self.links, (sequence - 300) % 50, sequence - 300) }
        let name = Array("transaction \(sequence)".utf8)
        try space.put(Self.names, bytes: name.span, sequence)
        let old = Array("transaction \(sequence &- 300)".utf8)
        try space.remove(Self.names, bytes: old.span)
        return space.end()
    }

    /// Whether a version is consistent: no transaction in part, none lost.
    private func isWhole(_ reader: PageReader) throws -> Bool {
        var cursor = try reader.words(Self.accounts)
        var entries: [WordEntry] = []
        while let (key, value) = try cursor.next() {
            entries.append(WordEntry(key: key, value: value))
        }
        guard entries.count == Int(Self.accountCount) else { return false }
        let sum = entries.reduce(0 as UInt64) { $0 &+ $1.value.first }
        guard sum == Self.accountCount * 1_000 else { return false }
        guard entries.allSatisfy({ $0.value.second <= reader.sequence }) else { return false }
        let sequence = reader.sequence
        guard sequence > 1 else { return true }
        let name = Array("transaction \(sequence)".utf8)
        let next = Array("transaction \(sequence + 1)".utf8)
        return try reader.contains(Self.links, sequence % 50, sequence)
            && !reader.contains(Self.links, (sequence + 1) % 50, sequence + 1)
            && reader.get(Self.names, bytes: name.span) == sequence
            && reader.get(Self.names, bytes: next.span) == nil
            && reader.count(Self.links) == reader.count(Self.names)
    }

    @Test(arguments: Seeds.first(1))
    func `readers see consistent versions in order while a writer commits`(
        seed: UInt64
    ) throws {
        let space = try makeSpace()
        let isDone = Atomic(false)
        let faults = Mutex<[String]>([])
        let reads = Atomic(0)
        let wait = onThreads(4) { index in
            var last: UInt64 = 0
            while !isDone.load(ordering: .relaxed) || reads.load(ordering: .relaxed) < 8 {
                do {
                    let (sequence, isWhole) =
                        index % 2 == 0
                        ? try space.withPinned { reader throws in
                            (reader.sequence, try self.isWhole(reader))
                        }
                        : try self.readWithPin(space)
                    if !isWhole { faults.withLock { $0.append("\(sequence) is torn") } }
                    if sequence < last {
                        faults.withLock { $0.append("\(sequence) after \(last)") }
                    }
                    last = sequence
                } catch {
                    faults.withLock { $0.append("\(error)") }
                }
                reads.add(1, ordering: .relaxed)
            }
        }
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<1_500 { space.publish(try transfer(space, &generator)) }
        isDone.store(true, ordering: .relaxed)
        wait()
        #expect(faults.withLock { $0 } == [], "seed \(seed)")
        #expect(reads.load(ordering: .relaxed) >= 8)
        try space.checkStructure(space.publishedVersion)
        #expect(space.groupCount < 400)
    }

    private func readWithPin(_ space: PageSpace) throws -> (UInt64, Bool) {
        let pin = space.pin()
        return (pin.version.sequence, try isWhole(pin.reader))
    }

    @Test func `another thread may publish ended transactions`() throws {
        let space = try makeSpace()
        let ended = Mutex<[PageVersion]>([])
        let isDone = Atomic(false)
        let faults = Mutex<[String]>([])
        let wait = onThreads(2) { index in
            while !isDone.load(ordering: .acquiring)
                || (index == 0 && !ended.withLock { $0.isEmpty })
            {
                if index == 0 {
                    // Publishes all ended transactions at once, like a group commit.
                    guard
                        let version = ended.withLock({ versions -> PageVersion? in
                            defer { versions = [] }
                            return versions.last
                        })
                    else { continue }
                    space.publish(version)
                } else if (try? space.withPinned({ reader throws in try self.isWhole(reader) }))
                    != true
                {
                    faults.withLock { $0.append("torn") }
                }
            }
        }
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<800 {
            let version = try transfer(space, &generator)
            ended.withLock { $0.append(version) }
        }
        isDone.store(true, ordering: .releasing)
        wait()
        #expect(faults.withLock { $0 } == [])
        #expect(space.publishedVersion.sequence == 801)
        try space.checkStructure(space.publishedVersion)
    }

    @Test func `threads that load the same groups at once get the same pages`() throws {
        let file = CountingFile()
        let original = try makeSpace()
        _ = try original.capture().write(to: file, metadata: [])
        let faults = Mutex<[String]>([])
        for _ in 0..<20 {
            let space = try PageSpace.open(snapshot: file).space
            let wait = onThreads(4) { _ in
                if (try? space.withPinned({ reader throws in try self.isWhole(reader) })) != true {
                    faults.withLock { $0.append("torn") }
                }
            }
            // Meanwhile the writer changes pages.
            var generator = SeededGenerator(seed: 9)
            for _ in 0..<5 { space.publish(try transfer(space, &generator)) }
            wait()
            try space.checkStructure(space.publishedVersion)
        }
        #expect(faults.withLock { $0 } == [])
    }

    @Test func `a snapshot is written while commits continue`() throws {
        let space = try makeSpace()
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<50 { space.publish(try transfer(space, &generator)) }
        let capture = space.capture()
        let file = CountingFile()
        let summary = Mutex<SnapshotSummary?>(nil)
        let wait = onThreads(1) { _ in
            let written = try? capture.write(to: file, metadata: [])
            summary.withLock { $0 = written }
        }
        for _ in 0..<500 { space.publish(try transfer(space, &generator)) }
        wait()
        #expect(summary.withLock { $0 } != nil)
        let opened = try PageSpace.open(snapshot: file, checkStructure: true)
        #expect(opened.contents.version.sequence == 51)
        #expect(try opened.space.withPinned { reader throws in try isWhole(reader) })
    }
}
