import DaybookBytes
import DaybookPages
@testable import DaybookRecords
import DaybookTesting
import Testing

/// Damaged trees give errors or imprecise results; nothing traps.
@Suite struct VectorDamageTests {
    private static let trees = VectorTrees(VectorFixture.index)

    private func damage(_ fixture: VectorFixture, _ kind: Int) throws {
        let (space, trees) = (fixture.space, Self.trees)
        let slot = UInt64.random(in: 1...60, using: &fixture.random)
        switch kind {
        case 0: _ = try space.put(trees.ids, 0, WordValue(first: .max, second: 3))
        case 1: _ = try space.put(trees.ids, 0, WordValue(first: 1 << 20, second: 1 << 19))
        case 2: _ = try space.put(trees.ids, 0, WordValue(first: 61, second: 70))
        case 3: try space.insert(trees.links, slot, .max)
        case 4: try space.insert(trees.links, slot, 0)
        case 5: try space.insert(trees.links, VectorTrees.place(slot, 0), 59)
        case 6: try space.clear(trees.nodes)
        case 7: try space.put(trees.nodes, bytes: [1, 2, 3].span, 4)
        case 8:
            try space.put(trees.nodes, bytes: (VectorTrees.prefix(slot) + [0]).span, 4)
        case 9: _ = try space.put(trees.ids, slot, WordValue(first: 1 << 60, second: 0))
        case 10: try space.clear(trees.links)
        default: _ = try space.put(trees.ids, 77, WordValue(first: slot, second: 0))
        }
    }

    @Test(arguments: 0..<12)
    func `damage is an error or a worse result`(kind: Int) throws {
        for seed in 0..<2 as Range<UInt64> {
            let fixture = VectorFixture(
                VectorForm(dimensions: 3, metric: .euclidean, neighborCount: 3), seed: seed)
            for id in 1...60 as ClosedRange<UInt64> { try fixture.set(id, fixture.randomVector()) }
            #expect(try fixture.check().problem == nil)
            try damage(fixture, kind)
            fixture.space.vectors.removeAll()
            var errors: [DaybookError] = []
            func attempt(_ body: () throws -> Void) {
                do { try body() } catch { errors.append(error as? DaybookError ?? .interrupted) }
            }
            var problem: String?
            attempt { problem = try fixture.check().problem }
            #expect(problem != nil || !errors.isEmpty)
            for id in [77, 5, 61] + Array(1...15 as ClosedRange<UInt64>) {
                attempt { try fixture.set(id, fixture.randomVector()) }
                attempt { _ = try fixture.recall(queryCount: 1, width: 20) }
                attempt { try fixture.set(id, nil) }
                attempt {
                    var graph = fixture.graph
                    _ = try graph.searchAll([0, 0, 0], count: 5)
                }
            }
            attempt { try fixture.space.working.forEachVector(ofIndex: 5) { _, _ in } }
            #expect(errors.allSatisfy { $0.code == .corruption })
        }
    }
}
