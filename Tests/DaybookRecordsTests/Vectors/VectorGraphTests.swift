import DaybookBytes
import DaybookPages
@testable import DaybookRecords
import DaybookTesting
import Testing

@Suite struct VectorGraphTests {
    @Test(arguments: VectorMetric.allCases)
    func `searches find the nearest vectors after random changes`(metric: VectorMetric) throws {
        let form = VectorForm(
            dimensions: metric == .geo ? 2 : 12, metric: metric, neighborCount: 8, searchCount: 40)
        let fixture = VectorFixture(form, seed: 1)
        for id in 1...900 as ClosedRange<UInt64> { try fixture.set(id, fixture.randomVector()) }
        for _ in 0..<500 {
            let id = UInt64.random(in: 1...900, using: &fixture.random)
            let isRemoved = Bool.random(using: &fixture.random)
            try fixture.set(id, isRemoved ? nil : fixture.randomVector())
        }
        let check = try fixture.check()
        #expect(check.problem == nil)
        #expect(check.count == fixture.vectors.count)
        #expect(check.reachedCount >= check.count * 99 / 100)
        #expect(try fixture.recall(queryCount: 40, width: 64) >= 0.95)
        let query = try #require(fixture.form.stored(fixture.randomVector()))
        var graph = fixture.graph
        #expect(
            try graph.searchAll(query, count: 25).map(\.id) == fixture.exact(query, count: 25))
        let some = Array(1...100 as ClosedRange<UInt64>)
        let among = try graph.search(query, among: some, count: 1000).map(\.id)
        #expect(among == fixture.exact(query, count: 1000).filter { $0 <= 100 })
    }

    @Test func `removing all vectors leaves an empty graph that never uses a slot again`() throws {
        let fixture = VectorFixture(VectorForm(dimensions: 4, metric: .euclidean), seed: 2)
        for id in 1...120 as ClosedRange<UInt64> { try fixture.set(id, fixture.randomVector()) }
        for id in (1...120 as ClosedRange<UInt64>).shuffled(using: &fixture.random) {
            try fixture.set(id, nil)
            #expect(try fixture.check().problem == nil)
        }
        let trees = VectorTrees(VectorFixture.index)
        let reader = fixture.space.working
        #expect(try reader.head(trees) == VectorHead(next: 121, entry: 0))
        #expect(try reader.count(trees.nodes) == 0 && reader.count(trees.links) == 0)
        var graph = fixture.graph
        #expect(try graph.search([0, 0, 0, 0], count: 3, width: 8).isEmpty)
        try fixture.set(7, [1, 2, 3, 4])
        #expect(try reader.get(trees.ids, 7)?.first == 121)
        try graph.removeAll(in: fixture.space)
        #expect(try fixture.space.working.head(trees).next == 122)
        #expect(try fixture.space.working.vectorCount(ofIndex: VectorFixture.index) == 0)
    }

    @Test func `vectors in use take the memory of vectors that were replaced`() throws {
        let fixture = VectorFixture(VectorForm(dimensions: 8, metric: .euclidean), seed: 4)
        let memories = fixture.space.vectors
        memories.budgetBytes = 64 << 10
        for _ in 0..<20 {
            for id in 1...120 as ClosedRange<UInt64> { try fixture.set(id, fixture.randomVector()) }
        }
        #expect(memories.usedBytes <= 64 << 10)
        let query = fixture.randomVector()
        for _ in 0..<40 {
            var graph = fixture.graph
            let found = try graph.searchAll(query, count: 5).map(\.id)
            #expect(found == fixture.exact(query, count: 5))
        }
        let graph = fixture.graph
        let trees = VectorTrees(VectorFixture.index)
        for id in 1...120 as ClosedRange<UInt64> {
            let slot = try #require(try graph.reader.get(trees.ids, id)?.first)
            #expect(graph.directory.copy(slot, count: 8) != nil)
        }
    }

    /// The keys of such vectors are longer than a page of the tree takes.
    @Test(arguments: [237, 238, 239, 768, 1536])
    func `long vectors are found after changes, in memory and in the tree`(dimensions: Int) throws {
        let form = VectorForm(
            dimensions: dimensions, metric: .cosine, neighborCount: 5, searchCount: 10)
        let fixture = VectorFixture(form, seed: UInt64(dimensions))
        for _ in 0..<60 {
            let id = UInt64.random(in: 1...40, using: &fixture.random)
            let isRemoved = Int.random(in: 0..<4, using: &fixture.random) == 0
            try fixture.set(id, isRemoved ? nil : fixture.randomVector())
        }
        let check = try fixture.check()
        #expect(check.problem == nil)
        #expect(check.count == fixture.vectors.count && check.count > 10)
        let query = try #require(form.stored(fixture.randomVector()))
        let exact = fixture.exact(query, count: 40)
        for _ in 0..<2 {
            var graph = fixture.graph
            #expect(try graph.searchAll(query, count: 40).map(\.id) == exact)
            #expect(try graph.search(query, count: 40, width: 80).map(\.id) == exact)
            _ = fixture.space.vectors.trim(toBytes: 0)
        }
        for id in 1...40 as ClosedRange<UInt64> { try fixture.set(id, nil) }
        #expect(try fixture.check().problem == nil)
        #expect(try fixture.space.working.count(VectorTrees(VectorFixture.index).nodes) == 0)
    }

    @Test func `equal histories give equal graphs`() throws {
        var links: [[UInt64]] = []
        for _ in 0..<2 {
            let fixture = VectorFixture(VectorForm(dimensions: 6, metric: .cosine), seed: 3)
            for id in 1...150 as ClosedRange<UInt64> {
                try fixture.set(id % 120 + 1, fixture.randomVector())
            }
            var found: [UInt64] = []
            var cursor = try fixture.space.working.pairs(
                VectorTrees(VectorFixture.index).links)
            while let pair = try cursor.next() { found += [pair.first, pair.second] }
            links.append(found)
        }
        #expect(links[0] == links[1] && links[0].count > 1000)
    }

    @Test func `an index with other dimensions frees the vectors in memory`() throws {
        let memories = VectorMemories()
        let short = memories.memory(ofIndex: 1, .cosine, dimensions: 4)
        let first = VectorNode(slot: 1, id: 7, vector: PaddedVector([1, 2, 3, 4]))
        let isAdded = short.add([first])
        #expect(isAdded && memories.usedBytes > 0)
        let long = memories.memory(ofIndex: 1, .cosine, dimensions: 40)
        #expect(memories.usedBytes == 0)
        // A slot that only a damaged page can contain.
        let numbers = PaddedVector([Float](repeating: 1, count: 40))
        let damaged = VectorNode(slot: 1 << 32, id: 7, vector: numbers)
        let isDamagedAdded = long.add([damaged])
        #expect(!isDamagedAdded && memories.usedBytes == 0)
    }

    @Test(arguments: VectorMetric.allCases, [1, 7, 16, 20, 100])
    func `distances of several vectors equal those of single ones`(
        metric: VectorMetric, dimensions: Int
    ) throws {
        var random = SeededGenerator(seed: UInt64(dimensions))
        var vector: PaddedVector {
            PaddedVector((0..<dimensions).map { _ in Float.random(in: -1...1, using: &random) })
        }
        let memory = VectorMemories().memory(ofIndex: 1, metric, dimensions: dimensions)
        let nodes = (1...11).map { VectorNode(slot: $0, id: 100 + $0, vector: vector) }
        // The slots 4 and 9 are not in memory.
        let isAdded = memory.add(nodes.filter { $0.slot != 4 && $0.slot != 9 })
        #expect(isAdded)
        let query = vector
        for count in 0...nodes.count {
            var distances: [Float] = [7]
            memory.directory.distances(
                from: query, to: nodes.prefix(count).map(\.slot), into: &distances)
            let expected = nodes.prefix(count).map {
                [4, 9].contains($0.slot) ? nil : query.distance(metric, to: $0.vector)
            }
            #expect(distances.dropFirst().map { $0.isNaN ? nil : $0 } == expected)
            #expect(distances.first == 7)
        }
        #expect(memory.directory.id(3) == 103 && memory.directory.id(4) == nil)
        #expect(memory.directory.id(12) == nil && memory.directory.id(1 << 40) == nil)
    }

    @Test func `without memory, vectors are read from the tree`() throws {
        let fixture = VectorFixture(VectorForm(dimensions: 5, metric: .euclidean), seed: 4)
        for id in 1...400 as ClosedRange<UInt64> { try fixture.set(id, fixture.randomVector()) }
        let query = fixture.randomVector()
        var graph = fixture.graph
        let found = try graph.search(query, count: 10, width: 40)
        #expect(fixture.space.vectors.usedBytes > 0)
        let isFreed = fixture.space.vectors.trim(toBytes: 0)
        #expect(isFreed && fixture.space.vectors.usedBytes == 0)
        var slow = fixture.graph
        #expect(try slow.search(query, count: 10, width: 40) == found)
        #expect(fixture.space.vectors.usedBytes == 0)
        for id in 401...420 as ClosedRange<UInt64> { try fixture.set(id, fixture.randomVector()) }
        fixture.space.vectors.budgetBytes = 1 << 20
        var again = fixture.graph
        #expect(
            try again.search(query, count: 10, width: 60).map(\.id)
                == fixture.exact(query, count: 10))
        #expect(fixture.space.vectors.usedBytes > 0)
    }

    @Test func `the layers of slots shrink by the number of neighbours`() {
        let form = VectorForm(dimensions: 2, metric: .cosine, neighborCount: 8)
        var counts = [Int](repeating: 0, count: VectorTrees.levelMax + 1)
        for slot in 1...64_000 as ClosedRange<UInt64> {
            counts[VectorTrees.level(of: slot, form)] += 1
        }
        #expect((55_000...57_000).contains(counts[0]))
        #expect((6_700...7_300).contains(counts[1]))
        #expect(counts[8...].allSatisfy { $0 == 0 })
    }

    @Test func `vectors that have no distance are named`() {
        let form = VectorForm(dimensions: 3, metric: .cosine)
        #expect(form.problem(of: [1, 2])?.actual == "2")
        #expect(form.problem(of: [1, .nan, 2])?.expected == "finite numbers")
        #expect(form.problem(of: [1, 2, .infinity])?.actual == "inf")
        #expect(form.problem(of: [0, 0, 0])?.actual == "zeros")
        #expect(form.stored([0, 3, 4]) == [0, 0.6, 0.8])
        #expect(VectorForm(dimensions: 3, metric: .euclidean).stored([0, 0, 0]) == [0, 0, 0])
        #expect(VectorForm(dimensions: 0, metric: .cosine).problem != nil)
        #expect(VectorForm(dimensions: 3, metric: .cosine, neighborCount: 1).problem != nil)
        #expect(form.problem == nil)
    }
}
