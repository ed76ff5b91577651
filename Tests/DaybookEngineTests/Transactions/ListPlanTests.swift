import DaybookBytes
import DaybookRecords
import DaybookTesting
import DaybookTestSupport
import Testing

@testable import DaybookEngine

/// Compares list plans with plain arrays.
@Suite struct ListPlanTests {
    private static func list(_ targets: [UInt64]) -> [ListElement] {
        zip(ListPosition.between(nil, nil, count: targets.count), targets).map {
            ListElement(position: $0, target: $1)
        }
    }

    /// The requested elements as indexes of existing elements; negative ones are new targets.
    private static func placements(
        _ indexes: [Int], _ current: [ListElement]
    ) -> [ListPlacement] {
        indexes.map { index in
            index < 0
                ? ListPlacement(position: nil, target: UInt64(-index))
                : ListPlacement(position: current[index].position, target: current[index].target)
        }
    }

    /// Returns the length of a longest increasing subsequence, by comparing every pair.
    private static func longestRun(_ indexes: [Int]) -> Int {
        var lengths: [Int] = []
        for (place, index) in indexes.enumerated() {
            guard index >= 0 else {
                lengths.append(0)
                continue
            }
            let before = (0..<place).filter { indexes[$0] >= 0 && indexes[$0] < index }
            lengths.append(1 + (before.map { lengths[$0] }.max() ?? 0))
        }
        return lengths.max() ?? 0
    }

    @Test(arguments: Seeds.first(300))
    func `a random plan gives the requested list, with the fewest changes`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let targets = (0..<Int.random(in: 0...14, using: &random)).map { _ in
            UInt64.random(in: 1...6, using: &random)
        }
        let current = Self.list(targets)
        // Elements unknown to the caller were inserted concurrently.
        let known = current.indices.filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
        let foreign = Set(current.indices).subtracting(known).sorted().map { current[$0] }
        var indexes = known.filter { _ in Int.random(in: 0..<5, using: &random) > 0 }
        if Bool.random(using: &random) { indexes.shuffle(using: &random) }
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            indexes.insert(
                -Int.random(in: 1...6, using: &random),
                at: Int.random(in: 0...indexes.count, using: &random))
        }
        let wanted = Self.placements(indexes, current)
        let plan = ListPlan(
            current: current, base: known.map { current[$0].position }, wanted: wanted)

        // The requested elements are in their order, at the positions and indexes of the plan.
        let positions = plan.result.map(\.position)
        #expect(
            zip(positions, positions.dropFirst()).allSatisfy {
                $0.lexicographicallyPrecedes($1)
            }, "seed \(seed)")
        #expect(plan.places.map { plan.result[$0].target } == wanted.map(\.target), "seed \(seed)")
        #expect(plan.places.map { positions[$0] } == plan.positions, "seed \(seed)")
        #expect(plan.places == plan.places.sorted(), "seed \(seed)")
        // All other elements remain unchanged, and there are no additional ones.
        let mine = Set(plan.places)
        let rest = plan.result.indices.filter { !mine.contains($0) }.map { plan.result[$0] }
        #expect(rest == foreign, "seed \(seed)")
        // Applying the removals and insertions gives the list.
        let gone = Set(plan.removed.map(\.position))
        let added = zip(plan.positions, zip(wanted, plan.isNew)).filter(\.1.1)
        let made =
            current.filter { !gone.contains($0.position) }
            + added.map { ListElement(position: $0.0, target: $0.1.0.target) }
        #expect(
            made.sorted { $0.position.lexicographicallyPrecedes($1.position) } == plan.result,
            "seed \(seed)")
        // The plan keeps as many elements as possible.
        let stayingCount = Self.longestRun(indexes)
        #expect(plan.removed.count == known.count - stayingCount, "seed \(seed)")
        #expect(added.count == wanted.count - stayingCount, "seed \(seed)")
    }

    @Test func `a move is one removal and one insertion`() {
        let current = Self.list([1, 2, 3, 4, 5])
        for from in current.indices {
            for to in current.indices where to != from {
                var indexes = Array(current.indices)
                indexes.insert(indexes.remove(at: from), at: to)
                let plan = ListPlan(
                    current: current, base: current.map(\.position),
                    wanted: Self.placements(indexes, current))
                #expect(plan.result.map(\.target) == indexes.map { UInt64($0 + 1) })
                #expect(plan.removed.count == 1 && plan.isNew.count(where: \.self) == 1)
            }
        }
    }

    @Test func `a list that is replaced by itself changes nothing`() {
        let current = Self.list([7, 7, 3])
        let plan = ListPlan(
            current: current, base: current.map(\.position),
            wanted: Self.placements([0, 1, 2], current))
        #expect(plan.removed.isEmpty)
        #expect(!plan.isNew.contains(true))
        #expect(plan.result == current)
    }

    @Test func `an element that another writer replaced is inserted again`() {
        let current = Self.list([7, 8])
        let stale = ListPlacement(position: current[0].position, target: 9)
        let plan = ListPlan(
            current: current, base: current.map(\.position),
            wanted: [stale] + Self.placements([1], current))
        #expect(plan.result.map(\.target) == [9, 8])
        #expect(plan.removed == [current[0]])
    }
}
