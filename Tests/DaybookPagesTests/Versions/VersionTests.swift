import DaybookBytes
import DaybookPages
import Testing

struct VersionTests {
    private static let tree: TreeID = 1

    /// Sets the keys to the sequence of one transaction.
    @discardableResult
    private func commit(_ keys: some Sequence<UInt64>, in space: PageSpace) throws -> PageVersion {
        let sequence = space.working.sequence + 1
        space.begin(sequence: sequence)
        for key in keys { try space.put(Self.tree, key, WordValue(first: key, second: sequence)) }
        return space.end()
    }

    @Test func `a version is visible only after it is published`() throws {
        let space = PageSpace()
        let version = try commit([1], in: space)
        #expect(version.sequence == 1)
        #expect(try space.withPinned { reader throws in try reader.get(Self.tree, 1) } == nil)
        #expect(try space.working.get(Self.tree, 1)?.second == 1)
        #expect(space.working.sequence == 1)
        space.publish(version)
        #expect(space.publishedVersion == version)
        #expect(try space.withPinned { reader throws in try reader.get(Self.tree, 1) }?.second == 1)
    }

    @Test func `several transactions may end before one is published`() throws {
        let space = PageSpace()
        var versions: [PageVersion] = []
        for _ in 0..<10 { versions.append(try commit(1...1_000, in: space)) }
        #expect(space.publishedVersion.sequence == 0)
        space.publish(versions[3])
        let pin = space.pin()
        space.publish(versions[9])
        #expect(try pin.reader.get(Self.tree, 500)?.second == 4)
        #expect(try space.pin().reader.get(Self.tree, 500)?.second == 10)
        for _ in 0..<5 { space.publish(try commit(1...1_000, in: space)) }
        #expect(try pin.reader.get(Self.tree, 500)?.second == 4)
        try space.checkStructure(pin.version)
    }

    @Test func `a version that is not newer than the published one is not published again`() throws
    {
        let space = PageSpace()
        let one = try commit([1], in: space)
        let two = try commit([2], in: space)
        space.publish(two)
        space.publish(one)
        space.publish(two)
        #expect(space.publishedVersion == two)
    }

    @Test func `the working state is readable inside a transaction`() throws {
        let space = PageSpace()
        space.publish(try commit(1...500, in: space))
        space.begin(sequence: 2)
        try space.put(Self.tree, 501, WordValue(first: 0, second: 0))
        try space.insert(8, 1, 2)
        try space.remove(Self.tree, 1)
        let working = space.working
        #expect(working.sequence == 2)
        #expect(try working.get(Self.tree, 501) != nil)
        #expect(try working.get(Self.tree, 1) == nil)
        #expect(try working.contains(8, 1, 2))
        #expect(try working.trees() == [Self.tree, 8])
        #expect(try working.count(Self.tree) == 500)
        try space.remove(8, 1, 2)
        #expect(try working.trees() == [Self.tree])
        #expect(try !working.contains(8, 1, 2))
        #expect(try space.pin().reader.get(Self.tree, 1) != nil)
        space.publish(space.end())
    }

    @Test func `repeated overwriting takes a bounded number of pages`() throws {
        let space = PageSpace()
        space.publish(try commit(1...10_000, in: space))
        var groups: Int?
        for round in 0..<400 as Range<UInt64> {
            space.publish(try commit([round * 25 + 1, round * 7 + 1], in: space))
            if round == 50 { groups = space.groupCount }
        }
        #expect(space.groupCount == groups)
        try space.checkStructure(space.publishedVersion)
    }

    @Test func `a long read retains the pages of its version and no later ones`() throws {
        let space = PageSpace()
        space.publish(try commit(1...10_000, in: space))
        let used = space.usedPageCount
        let pin = space.pin()
        for round in 0..<300 {
            space.publish(try commit(stride(from: 1, through: 10_000, by: 100), in: space))
            if round % 100 == 0 { try space.checkStructure(space.publishedVersion) }
        }
        // Its own pages, the used pages, and the pages that the last transactions retired.
        #expect(space.usedPageCount == used)
        #expect(space.retiredPageCount < 4 * used)
        #expect(space.groupCount * 16 < 6 * used)
        for key in 1...10_000 as ClosedRange<UInt64> {
            let value = try pin.reader.get(Self.tree, key)
            if value?.second != 1 { #expect(value?.second == 1) }
        }
        try space.checkStructure(pin.version)
    }

    @Test func `pages are freed when the last read that needs them ends`() throws {
        let space = PageSpace()
        space.publish(try commit(1...10_000, in: space))
        var pins: [PagePin] = []
        for _ in 0..<5 {
            pins.append(space.pin())
            space.publish(try commit(1...10_000, in: space))
        }
        #expect(space.retiredPageCount > 4 * space.usedPageCount)
        pins.removeAll()
        // Held pages are examined from time to time, not in every transaction.
        for _ in 0..<17 { space.publish(try commit([], in: space)) }
        #expect(space.retiredPageCount == 0)
        try space.checkStructure(space.publishedVersion)
    }

    @Test func `short reads may be nested deeper than the number of slots`() throws {
        let space = PageSpace()
        space.publish(try commit([1], in: space))
        func nest(_ depth: Int) throws -> Int {
            try space.withPinned { reader throws -> Int in
                #expect(try reader.get(Self.tree, 1) != nil)
                return depth == 0 ? 1 : try nest(depth - 1) + 1
            }
        }
        #expect(try nest(300) == 301)
        // All slots and pins are released, so all retired pages are freed.
        for _ in 0..<3 { space.publish(try commit(1...20_000, in: space)) }
        for _ in 0..<17 { space.publish(try commit([], in: space)) }
        #expect(space.retiredPageCount == 0)
    }

    @Test func `a short read protects its version from the writer`() throws {
        let space = PageSpace()
        space.publish(try commit(1...5_000, in: space))
        try space.withPinned { reader throws in
            for _ in 0..<20 { space.publish(try commit(1...5_000, in: space)) }
            for key in 1...5_000 as ClosedRange<UInt64> {
                let value = try reader.get(Self.tree, key)
                if value?.second != 1 { #expect(value?.second == 1) }
            }
        }
        for _ in 0..<17 { space.publish(try commit([], in: space)) }
        #expect(space.retiredPageCount == 0)
    }

    @Test func `an error inside a short read releases the slot`() throws {
        struct Failure: Error {}
        let space = PageSpace()
        for _ in 0..<1_000 {
            #expect(throws: Failure.self) {
                try space.withPinned { (_: PageReader) throws(Failure) in throw Failure() }
            }
        }
        for _ in 0..<3 { space.publish(try commit(1...20_000, in: space)) }
        for _ in 0..<17 { space.publish(try commit([], in: space)) }
        #expect(space.retiredPageCount == 0)
    }

    @Test func `a pin keeps the space alive`() throws {
        var space: PageSpace? = PageSpace()
        let version = try commit([1], in: space!)
        space!.publish(version)
        let pin = space!.pin()
        space = nil
        #expect(try pin.reader.get(Self.tree, 1)?.second == 1)
        #expect(pin.version == version)
    }
}
