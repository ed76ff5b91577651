import DaybookBytes
import DaybookPages
@testable import DaybookRecords
import DaybookTesting
import Testing

/// The links of a version in memory.
@Suite struct VectorLinksTests {
    private static let form = VectorForm(
        dimensions: 100, metric: .cosine, neighborCount: 6, searchCount: 20)

    private func fixture(_ count: UInt64, seed: UInt64) throws -> VectorFixture {
        let fixture = VectorFixture(Self.form, seed: seed)
        for id in 1...count { try fixture.set(id, fixture.randomVector()) }
        return fixture
    }

    /// Publishes the working state and begins another transaction.
    private func publish(_ fixture: VectorFixture) -> PagePin {
        let version = fixture.space.end()
        fixture.space.publish(version)
        fixture.space.begin(sequence: version.sequence + 1)
        return fixture.space.pin()
    }

    private static func found(
        _ query: [Float], _ reader: PageReader, _ memories: VectorMemories
    ) throws -> [VectorNeighbor] {
        var graph = VectorGraph(reader, index: VectorFixture.index, form, memories)
        return try graph.search(query, count: 10, width: 30)
    }

    /// Whether links of the version are in memory.
    private func hasLinks(_ reader: PageReader, _ memories: VectorMemories) throws -> Bool {
        let trees = VectorTrees(VectorFixture.index)
        let name = try #require(try reader.name(ofRoot: trees.links))
        let memory = memories.memory(
            ofIndex: VectorFixture.index, Self.form.metric, dimensions: Self.form.dimensions)
        let slotCount = try reader.head(trees).next
        return memory.links(LinksName(name.words.0, name.words.1), slotCount: slotCount) != nil
    }

    @Test func `links in memory are those of the version that a search reads`() throws {
        let fixture = try fixture(300, seed: 11)
        let memories = fixture.space.vectors
        let old = publish(fixture)
        let queries = (0..<12).compactMap { _ in Self.form.stored(fixture.randomVector()) }
        func check(_ reader: PageReader) throws {
            for query in queries {
                // Another memory has no links after its first search.
                let expected = try Self.found(query, reader, VectorMemories())
                #expect(try Self.found(query, reader, memories) == expected)
                #expect(expected.count == 10)
            }
        }
        try check(old.reader)
        let hasOldLinks = try hasLinks(old.reader, memories)
        #expect(hasOldLinks)
        for id in 1...300 as ClosedRange<UInt64> {
            let isRemoved = id % 3 == 0
            try fixture.set(id, isRemoved ? nil : fixture.randomVector())
            if id % 100 == 0 { try check(fixture.space.working) }
        }
        #expect(
            try fixture.space.working.name(ofRoot: VectorTrees(VectorFixture.index).links) == nil)
        let new = publish(fixture)
        for reader in [old.reader, new.reader, old.reader] { try check(reader) }
        // Alternating readers read the tree.
        for query in queries {
            for reader in [old.reader, new.reader] {
                let expected = try Self.found(query, reader, VectorMemories())
                #expect(try Self.found(query, reader, memories) == expected)
            }
        }
        try check(new.reader)
        let hasNewLinks = try hasLinks(new.reader, memories)
        #expect(hasNewLinks)
    }

    @Test func `threads that search one version share its links`() async throws {
        let fixture = try fixture(300, seed: 12)
        let memories = fixture.space.vectors
        let pin = publish(fixture)
        let reader = pin.reader
        let queries = (0..<30).compactMap { _ in Self.form.stored(fixture.randomVector()) }
        let expected = try queries.map { try Self.found($0, reader, VectorMemories()) }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for shift in 0..<4 {
                group.addTask {
                    for place in queries.indices {
                        let number = (place + 7 * shift) % queries.count
                        let found = try Self.found(queries[number], reader, memories)
                        guard found == expected[number] else { return false }
                    }
                    return true
                }
            }
            for try await isEqual in group { #expect(isEqual) }
        }
        let isKept = try hasLinks(reader, memories)
        #expect(isKept)
        withExtendedLifetime(pin) {}
    }

    @Test func `vectors take the room of links`() throws {
        let fixture = try fixture(400, seed: 13)
        let memories = fixture.space.vectors
        memories.budgetBytes = 450_000
        let vectorBytes = memories.usedBytes
        let old = publish(fixture)
        let query = try #require(Self.form.stored(fixture.randomVector()))
        for _ in 0..<10 { _ = try Self.found(query, old.reader, memories) }
        #expect(memories.usedBytes > vectorBytes)
        for id in 401...760 as ClosedRange<UInt64> { try fixture.set(id, fixture.randomVector()) }
        let new = publish(fixture)
        for _ in 0..<10 {
            let expected = try Self.found(query, new.reader, VectorMemories())
            #expect(try Self.found(query, new.reader, memories) == expected)
        }
        let isKept = try hasLinks(new.reader, memories)
        #expect(!isKept)
        #expect(memories.usedBytes > vectorBytes && memories.usedBytes <= 450_000)
        for id in [1, 400, 760] as [UInt64] {
            let slot = try #require(
                try new.reader.get(VectorTrees(VectorFixture.index).ids, id)?.first)
            #expect(fixture.graph.directory.copy(slot, count: 100) != nil)
        }
        memories.removeAll()
        #expect(memories.usedBytes == 0)
        withExtendedLifetime(old) {}
    }
}
