import DaybookBytes
@testable import DaybookPages
import Testing

struct ClearTests {
    private static let words: TreeID = 1
    private static let pairs: TreeID = 2
    private static let bytes: TreeID = 3
    private static let other: TreeID = 4

    /// Some thousand entries in a tree of each kind, including long keys.
    private func fill(_ space: PageSpace) throws {
        space.begin(sequence: space.working.sequence + 1)
        for number in 0..<5_000 as Range<UInt64> {
            try space.put(Self.words, number, WordValue(first: number, second: 1))
            try space.insert(Self.pairs, number / 7, number)
            let text = number % 500 == 0 ? String(repeating: "k", count: 9_000) : "key"
            try space.put(Self.bytes, bytes: Array("\(text) \(number)".utf8).span, number)
            try space.put(Self.other, number, WordValue(first: 7, second: 7))
        }
        space.publish(space.end())
    }

    private func clearAll(_ space: PageSpace) throws {
        space.begin(sequence: space.working.sequence + 1)
        for tree in [Self.words, Self.pairs, Self.bytes, 99] { try space.clear(tree) }
        space.publish(space.end())
    }

    private func expectCleared(_ space: PageSpace) throws {
        try space.checkStructure(space.publishedVersion)
        try space.withPinned { (reader) throws in
            #expect(try reader.trees() == [Self.other])
            for tree in [Self.words, Self.pairs, Self.bytes] {
                #expect(try reader.count(tree) == 0)
            }
            #expect(try reader.count(Self.other) == 5_000)
        }
    }

    @Test func `a tree of any kind is cleared and its pages are reused`() throws {
        let space = PageSpace()
        try fill(space)
        let pin = space.pin()
        let pageCount = space.usedPageCount
        try clearAll(space)
        try expectCleared(space)
        // A pin of the earlier version sees all entries.
        #expect(try pin.reader.count(Self.bytes) == 5_000)
        #expect(try pin.reader.get(Self.bytes, bytes: Array("key 4999".utf8).span) == 4_999)
        try clearAll(space)
        try fill(space)
        try space.checkStructure(space.publishedVersion)
        #expect(space.usedPageCount == pageCount)
    }

    @Test func `a tree is filled and cleared in one transaction`() throws {
        let space = PageSpace()
        space.begin(sequence: 1)
        for number in 0..<1_000 as Range<UInt64> {
            try space.put(Self.bytes, bytes: Array("\(number)".utf8).span, number)
        }
        try space.clear(Self.bytes)
        try space.insert(Self.pairs, 1, 1)
        try space.clear(Self.pairs)
        // The id of an empty tree may be used for a tree of another kind.
        try space.put(Self.pairs, 5, WordValue(first: 5, second: 5))
        space.publish(space.end())
        try space.checkStructure(space.publishedVersion)
        #expect(try space.withPinned { (reader) throws in try reader.trees() } == [Self.pairs])
        #expect(space.usedPageCount == 2)
    }

    @Test func `a tree that is still in a snapshot is cleared`() throws {
        let file = CountingFile()
        do {
            let space = PageSpace()
            try fill(space)
            _ = try space.capture().write(to: file, metadata: [])
        }
        let space = try PageSpace.open(snapshot: file).space
        try clearAll(space)
        try expectCleared(space)
        let second = CountingFile()
        _ = try space.capture().write(to: second, metadata: [])
        try expectCleared(try PageSpace.open(snapshot: second, checkStructure: true).space)
    }
}
