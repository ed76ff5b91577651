import DaybookBytes
@testable import DaybookQuery
import DaybookTesting
import DaybookTestSupport
import Testing

@Suite struct ResultDifferenceTests {
    private func difference(
        _ old: [UInt64], _ new: [UInt64], modified: Set<UInt64> = []
    ) -> ResultDifference {
        ResultDifference(from: old, to: new) { modified.contains($0) }
    }

    @Test func `deletions have old indexes, insertions have new ones`() {
        let found = difference([1, 2, 3, 4], [2, 9, 4, 8], modified: [2, 4, 8])
        #expect(found.deletions == [0, 2])
        #expect(found.insertions == [1, 3])
        #expect(found.modifications == [1, 3])
        #expect(found.moves.isEmpty)
    }

    @Test func `as few objects as possible move, and a moved object is not reported as modified`() {
        let found = difference([1, 2, 3, 4, 5], [5, 1, 2, 3, 4], modified: [5, 3])
        #expect(found.moves == [ResultDifference.Move(from: 4, to: 0)])
        #expect(found.modifications == [2])
        #expect(found.deletions.isEmpty && found.insertions.isEmpty)
    }

    @Test func `equal lists without changes have no difference`() {
        #expect(difference([1, 2, 3], [1, 2, 3], modified: [9]).isEmpty)
        #expect(difference([], []).isEmpty)
    }

    @Test func `a changed object that keeps its order does not move`() {
        // The last two objects exchange their order with an unchanged one in front of them.
        let found = ResultDifference(
            removed: [.init(id: 2, place: 1), .init(id: 4, place: 3)],
            inserted: [.init(id: 2, place: 1), .init(id: 4, place: 2)], modified: [1, 3])
        #expect(found.moves == [ResultDifference.Move(from: 3, to: 2)])
        #expect(found.modifications == [1])
        #expect(found.deletions.isEmpty && found.insertions.isEmpty)
    }

    /// An array of a million objects was copied for each change of one.
    @Test func `a difference is applied in place`() {
        var list = Array(0..<1000)
        let before = address(of: list)
        var difference = ResultDifference()
        difference.moves = [.init(from: 990, to: 5)]
        difference.deletions = [7]
        difference.insertions = [999]
        difference.apply(to: &list) { _ in -1 }
        #expect(Array(list[4...8]) == [4, 990, 5, 6, 8])
        #expect(Array(list[988...]) == [988, 989] + (991..<1000) + [-1])
        #expect(address(of: list) == before)
    }

    private func address(of list: [Int]) -> Int? {
        // SAFETY: the address is compared, and never used.
        unsafe list.withUnsafeBufferPointer { unsafe $0.baseAddress.map { Int(bitPattern: $0) } }
    }

    @Test(arguments: Seeds.first(200 * Seeds.rounds))
    func `applying a difference to the old list gives the new one`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let all = (1...UInt64.random(in: 1...40, using: &generator)).map { $0 }
        func some() -> [UInt64] {
            let kept = all.filter { _ in UInt64.random(in: 0..<4, using: &generator) > 0 }
            return Bool.random(using: &generator) ? kept : kept.shuffled(using: &generator)
        }
        let (old, new) = (some(), some())
        let modified = Set(some())
        let found = difference(old, new, modified: modified)
        #expect(applying(found, to: old, new) == new, "seed \(seed)")
        #expect(found.modifiedPlaces.map { new[$0] } == found.modifications.map { old[$0] })
        #expect(found.deletions == old.indices.filter { !new.contains(old[$0]) }, "seed \(seed)")
        let moved = Set(found.moves.map(\.from))
        let changed = old.indices.filter {
            new.contains(old[$0]) && modified.contains(old[$0]) && !moved.contains($0)
        }
        #expect(found.modifications == changed, "seed \(seed)")
        #expect(found.moves.allSatisfy { old[$0.from] == new[$0.to] }, "seed \(seed)")
    }

    private func applying(
        _ difference: ResultDifference, to old: [UInt64], _ new: [UInt64]
    ) -> [UInt64] {
        var list = old
        difference.apply(to: &list) { new[$0] }
        return list
    }

    @Test(arguments: Seeds.first(200 * Seeds.rounds))
    func `the difference of changed objects equals the change`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        func isChosen(_ share: UInt64) -> Bool { .random(in: 0..<share, using: &generator) == 0 }
        let old = (1...UInt64.random(in: 1...40, using: &generator)).map { $0 }
        let changed = Set(old.filter { _ in isChosen(3) })
        var new = old.filter { !changed.contains($0) }
        var arrivals = changed.filter { _ in !isChosen(4) }.sorted()
        arrivals += (100..<(100 + .random(in: 0...5, using: &generator)))
        for id in arrivals {
            // Half of the changed objects return to their order, if these are all that changed.
            let place = isChosen(2) ? new.partitioningIndex { $0 > id } : new.count
            new.insert(id, at: min(place, new.count))
        }
        let modified = changed.filter { _ in isChosen(2) }
        let found = ResultDifference(
            removed: old.indices.filter { changed.contains(old[$0]) }
                .map { .init(id: old[$0], place: $0) },
            inserted: new.indices.filter { arrivals.contains(new[$0]) }
                .map { .init(id: new[$0], place: $0) },
            modified: old.indices.filter { modified.contains(old[$0]) })
        #expect(applying(found, to: old, new) == new, "seed \(seed)")
        #expect(found.deletions == old.indices.filter { !new.contains(old[$0]) }, "seed \(seed)")
        #expect(found.insertions == new.indices.filter { !old.contains(new[$0]) }, "seed \(seed)")
        #expect(found.moves.allSatisfy { changed.contains(old[$0.from]) }, "seed \(seed)")
        #expect(found.moves.allSatisfy { old[$0.from] == new[$0.to] }, "seed \(seed)")
        #expect(found.moves.map(\.to) == found.moves.map(\.to).sorted(), "seed \(seed)")
        let gone = Set(found.deletions + found.moves.map(\.from))
        #expect(
            found.modifications
                == old.indices.filter { modified.contains(old[$0]) && !gone.contains($0) },
            "seed \(seed)")
        #expect(found.modifiedPlaces.map { new[$0] } == found.modifications.map { old[$0] })
        if old == new { #expect(found.moves.isEmpty, "seed \(seed)") }
    }
}
