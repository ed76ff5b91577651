import DaybookBytes
import DaybookTesting
import DaybookTestSupport
import Testing

@testable import DaybookPages

/// Readers on several threads while pages leave the memory and return; also run it with
/// `--sanitize=thread`.
struct EvictionConcurrencyTests {
    private static let accounts: TreeID = 1
    private static let names: TreeID = 2
    private static let accountCount: UInt64 = 6_000

    private func name(_ account: UInt64) -> [UInt8] { Array("account \(account)".utf8) }

    private func makeSpace() throws -> PageSpace {
        let space = PageSpace()
        space.begin(sequence: 1)
        for account in 1...Self.accountCount {
            try space.put(Self.accounts, account, WordValue(first: 1_000, second: account))
            try space.put(Self.names, bytes: name(account).span, account)
        }
        space.publish(space.end())
        try space.save()
        return space
    }

    /// Moves amounts between accounts; the total stays constant.
    private func transfer(_ space: PageSpace, _ generator: inout SeededGenerator) throws {
        space.begin(sequence: space.working.sequence + 1)
        for _ in 0..<10 {
            let amount = UInt64.random(in: 0...50, using: &generator)
            for change in [0 &- amount, amount] {
                let account = UInt64.random(in: 1...Self.accountCount, using: &generator)
                let old = try #require(try space.working.get(Self.accounts, account))
                let new = WordValue(first: old.first &+ change, second: account)
                try space.put(Self.accounts, account, new)
            }
        }
        space.publish(space.end())
    }

    /// The sum of all accounts; nil if one is missing.
    private func sum(_ reader: PageReader) throws -> UInt64? {
        var cursor = try reader.words(Self.accounts)
        var sum: UInt64 = 0
        var count: UInt64 = 0
        while let (key, value) = try cursor.next() {
            count += 1
            guard key == count, value.second == key else { return nil }
            sum &+= value.first
        }
        return count == Self.accountCount ? sum : nil
    }

    @Test(arguments: Seeds.first(2))
    func `readers see whole versions while pages are evicted, changed and loaded`(
        seed: UInt64
    ) throws {
        let space = try makeSpace()
        let ends = Counter()
        let scans = Counter()
        try onThreads(5) { thread in
            var generator = SeededGenerator(seed: seed &+ UInt64(thread) &* 1_000)
            guard thread > 0 else {
                defer { ends.increment() }
                for round in 0..<120 {
                    try transfer(space, &generator)
                    if round % 7 == 0 { try space.save() }
                    space.trim(to: Int.random(in: 1...8, using: &generator))
                }
                return
            }
            repeat {
                switch thread {
                case 1:
                    let pin = space.pin()
                    #expect(try sum(pin.reader) == Self.accountCount * 1_000, "seed \(seed)")
                    withExtendedLifetime(pin) {}
                case 2:
                    try space.withPinned { reader throws in
                        #expect(try sum(reader) == Self.accountCount * 1_000, "seed \(seed)")
                    }
                default:
                    for _ in 0..<200 {
                        let account = UInt64.random(in: 1...Self.accountCount, using: &generator)
                        let name = name(account)
                        try space.withPinned { reader throws in
                            #expect(try reader.get(Self.accounts, account)?.second == account)
                            #expect(try reader.get(Self.names, bytes: name.span) == account)
                        }
                    }
                }
                scans.increment()
            } while ends.value == 0
        }
        #expect(scans.value >= 4)
        #expect(try sum(space.working) == Self.accountCount * 1_000, "seed \(seed)")
        space.trim(to: 1)
        #expect(space.memoryGroupCount <= 2 + Int(space.unsavedByteCount / GroupMemory.length))
    }
}
