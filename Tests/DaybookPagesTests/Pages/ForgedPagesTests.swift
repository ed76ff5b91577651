import DaybookBytes
import Testing

@testable import DaybookPages

/// Snapshots with valid checksums and forged pages. Each page may be valid on its own, while its
/// parent's entry does not match it.
struct ForgedPagesTests {
    private static let words: TreeID = 3
    private static let other: TreeID = 4
    private static let names: TreeID = 5

    /// Two leaves of words with a root, and a tree whose only page can be overwritten.
    private func makeSpace() throws -> PageSpace {
        let space = PageSpace()
        space.begin(sequence: 1)
        for key in 1...200 as ClosedRange<UInt64> {
            try space.put(Self.words, key, WordValue(first: key, second: 1))
        }
        try space.put(Self.other, 1, WordValue(first: 1, second: 1))
        space.publish(space.end())
        return space
    }

    private func root(_ tree: TreeID, _ space: PageSpace) throws -> (number: UInt32, page: Page) {
        let record = try #require(try space.working.record(of: tree))
        return (record.root, space.table.knownPage(record.root))
    }

    /// The space after writing and opening a snapshot.
    private func reopen(_ space: PageSpace) throws -> PageSpace {
        let file = CountingFile()
        _ = try space.capture().write(to: file, metadata: [])
        return try PageSpace.open(snapshot: file).space
    }

    private func expectDamage(
        sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
    ) {
        let error = #expect(throws: DaybookError.self, sourceLocation: sourceLocation) {
            try body()
        }
        #expect(error?.code == .corruption, sourceLocation: sourceLocation)
        #expect(error?.details["snapshot"] == "pages", sourceLocation: sourceLocation)
    }

    @Test func `pages that contradict each other are a damaged snapshot`() throws {
        for child in [0 as UInt32, 1_000_000] {
            let space = try makeSpace()
            let root = try root(Self.words, space)
            FixedInner<WordLayout>(root.page).setChild(child > 0 ? child : root.number, at: 1)
            let forged = try reopen(space)
            expectDamage { _ = try forged.working.get(Self.words, 200) }
            expectDamage { try forged.checkStructure(forged.publishedVersion) }
            #expect(try forged.working.get(Self.words, 1)?.first == 1)
        }
        let space = try makeSpace()
        let forged = try reopen(space)
        expectDamage { _ = try forged.working.contains(Self.words, 1, 1) }
        let catalog = FixedLeaf<WordLayout>(space.table.knownPage(space.publishedVersion.catalog))
        let record = catalog.value(0)
        for value in [
            WordValue(first: 0, second: 1), WordValue(first: .max, second: 1),
            WordValue(first: record.first, second: .max),
        ] {
            catalog.setValue(value, at: 0)
            let forged = try reopen(space)
            expectDamage { _ = try forged.working.get(Self.words, 1) }
        }
    }

    @Test func `a version with the highest sequence is rejected`() throws {
        for (sequence, isGood) in [
            (SnapshotFormat.sequenceMax, true), (SnapshotFormat.sequenceMax + 1, false),
            (.max, false),
        ] {
            let space = PageSpace()
            space.begin(sequence: sequence)
            try space.put(1, 1, WordValue(first: 1, second: 1))
            space.publish(space.end())
            let opened = Result { try reopen(space) }
            switch opened {
            case .success: #expect(isGood)
            case .failure(let error as DaybookError):
                #expect(!isGood && error.details["snapshot"] == "header")
            case .failure(let error): throw error
            }
        }
    }

    // MARK: Endless descents

    @Test func `a root is not replaced by a child that leads back to itself`() throws {
        let space = try makeSpace()
        let loop = try root(Self.other, space)
        loop.page.reset(.words, level: 5, birth: 0)
        FixedInner<WordLayout>(loop.page).insert(0, loop.number, at: 0)
        let (_, root) = try root(Self.words, space)
        let inner = FixedInner<WordLayout>(root)
        #expect(inner.count == 2)
        let last = inner.key(1)
        inner.setChild(loop.number, at: 1)
        let forged = try reopen(space)
        forged.begin(sequence: 2)
        for key in 1..<last { _ = try forged.remove(Self.words, key) }
        expectDamage { _ = try forged.working.get(Self.words, 1) }
        forged.publish(forged.end())
    }

    @Test func `a root of byte strings is not replaced by a child that leads back to itself`()
        throws
    {
        let space = try makeSpace()
        let loop = try root(Self.other, space)
        loop.page.reset(.bytes, level: 5, birth: 0)
        #expect(BytePage(loop.page).begin(count: 0, prefixLength: 0))
        loop.page.link = loop.number
        let keys = (1...5).map { [UInt8](repeating: UInt8($0), count: 900) }
        space.begin(sequence: 2)
        for key in keys { try space.put(Self.names, bytes: key.span, 1) }
        space.publish(space.end())
        let (_, page) = try root(Self.names, space)
        let inner = BytePage(page)
        #expect(inner.count == 1 && !inner.isLeaf)
        inner.setChild(loop.number, at: 1)
        let forged = try reopen(space)
        forged.begin(sequence: 3)
        for key in keys.dropLast() { _ = try forged.remove(Self.names, bytes: key.span) }
        let key = keys[0]
        expectDamage { _ = try forged.working.get(Self.names, bytes: key.span) }
        forged.publish(forged.end())
    }

    // MARK: Pages that are referenced twice

    @Test func `a page that is referenced twice is freed once`() throws {
        let space = try makeSpace()
        let inner = FixedInner<WordLayout>(try root(Self.words, space).page)
        inner.setChild(inner.child(0), at: 1)
        let forged = try reopen(space)
        forged.begin(sequence: 2)
        try forged.put(Self.words, 1, WordValue(first: 2, second: 2))
        try forged.put(Self.words, 200, WordValue(first: 2, second: 2))
        forged.publish(forged.end())
        // The root, the leaf that two entries reference, and the catalog.
        #expect(forged.retiredPageCount == 3)
    }

    @Test func `a page is retired once, and only if it is in use`() {
        let space = PageSpace()
        space.writer.withWriter { writer in
            let page = writer.allocator.take()
            let isFirst = writer.allocator.retire(page)
            let isSecond = writer.allocator.retire(page)
            let isNone = writer.allocator.retire(0)
            let isOutside = writer.allocator.retire(1_000_000)
            #expect(isFirst && !isSecond && !isNone && !isOutside)
        }
    }

    // MARK: Keys out of order

    @Test func `keys out of order are encoded as a page that the decoder rejects`() throws {
        let space = try makeSpace()
        let inner = FixedInner<WordLayout>(try root(Self.words, space).page)
        inner.setKey(1_000, at: 0)
        space.begin(sequence: 2)
        try space.insert(Self.names, 1, 1)
        try space.insert(Self.names, 1, 2)
        space.publish(space.end())
        #expect(throws: DaybookError.self) {
            try reopen(space).withPinned { reader throws in try reader.get(Self.words, 1) }
        }
        let pairs = FixedLeaf<PairLayout>(try root(Self.names, space).page)
        for key in [PairLayout.key(2, 0), PairLayout.key(1, 9)] {
            pairs.setKey(key, at: 0)
            #expect(throws: DaybookError.self) {
                try reopen(space).withPinned { reader throws in
                    try reader.contains(Self.names, 1, 1)
                }
            }
        }
    }

    /// The chain of a long key may differ from the bytes in its cell. Keys that were in order can
    /// then be out of order when a full leaf is divided.
    @Test(arguments: [960, 900]) func `a leaf that cannot be divided stays unchanged`(
        length: Int
    ) throws {
        func key(_ letter: Character, _ count: Int) -> [UInt8] {
            [UInt8](repeating: letter.asciiValue ?? 0, count: count)
        }
        let keys = [
            key("A", 960), key("B", 960), key("a", 1_000), key("b", length), key("c", 960),
        ]
        let space = PageSpace()
        space.begin(sequence: 1)
        for key in keys { try space.put(Self.names, bytes: key.span, 1) }
        space.publish(space.end())
        let leaf = BytePage(try root(Self.names, space).page)
        #expect(leaf.count == 5 && leaf.isLong(2))
        let chain = space.table.knownPage(leaf.chain(2).first)
        key("b", 1_000).span.withKeyBytes { bytes in chain.write(bytes, at: PageHeader.length) }
        let forged = try reopen(space)
        forged.begin(sequence: 2)
        // The key makes the leaf too long by four bytes, and the middle is after the long key.
        let new = key("b", 1) + key("z", 59 + 960 - length)
        expectDamage { try forged.put(Self.names, bytes: new.span, 1) }
        #expect(try forged.working.count(Self.names) == 5)
        let last = keys[4]
        #expect(try forged.working.get(Self.names, bytes: last.span) == 1)
        #expect(try forged.working.get(Self.names, bytes: new.span) == nil)
        forged.publish(forged.end())
    }

    // MARK: The last pages

    /// Each change reserves room for the catalog, so the end of a transaction never fails.
    @Test func `a transaction that takes the last pages can be ended`() throws {
        for (vacantCount, isRoom) in [(11, false), (12, true)] {
            let space = PageSpace()
            space.writer.withWriter { writer in
                var masks = [UInt16](repeating: .max, count: PageTable.groupCountMax)
                for group in 1...vacantCount { masks[group] = 0 }
                writer.allocator = PageAllocator(table: space.table, stored: masks)
            }
            space.begin(sequence: 1)
            let put = Result { try space.put(1, 1, WordValue(first: 7, second: 7)) }
            switch put {
            case .success: #expect(isRoom)
            case .failure(let error):
                #expect(!isRoom && (error as? DaybookError)?.code == .outOfSpace)
            }
            space.publish(space.end())
            #expect(try space.working.get(1, 1) == (isRoom ? WordValue(first: 7, second: 7) : nil))
        }
    }
}
