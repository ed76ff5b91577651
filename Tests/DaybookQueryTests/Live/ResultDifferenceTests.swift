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

    @Test func `the difference of parts of two results has the right indexes`() {
        let found = ResultDifference(from: [7, 8], to: [8, 6], offset: 100) { $0 == 8 }
        #expect(found.deletions == [100])
        #expect(found.insertions == [101])
        #expect(found.modifications == [101])
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
        #expect(found.applied(to: old) { new[$0] } == new, "seed \(seed)")
        #expect(found.deletions == old.indices.filter { !new.contains(old[$0]) }, "seed \(seed)")
        let moved = Set(found.moves.map(\.from))
        let changed = old.indices.filter {
            new.contains(old[$0]) && modified.contains(old[$0]) && !moved.contains($0)
        }
        #expect(found.modifications == changed, "seed \(seed)")
        #expect(found.moves.allSatisfy { old[$0.from] == new[$0.to] }, "seed \(seed)")
    }
}
