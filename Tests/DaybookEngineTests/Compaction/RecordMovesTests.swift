@testable import DaybookEngine
import DaybookTestSupport
import DaybookTesting
import Testing

/// The encoded moves of a compaction. A failure prints its seed.
@Suite struct RecordMovesTests {
    private typealias Move = RecordMoves.Move

    @Test(arguments: Seeds.first(8))
    func `moves are decoded in their order, in batches`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let batchCount = Int.random(in: 1...9, using: &generator)
        var moves = RecordMoves(batchCount: batchCount)
        var expected: [Move] = []
        for _ in 0..<Int.random(in: 0...40, using: &generator) {
            var move = expected.last ?? Move(entity: 1, id: 0, old: 0, new: 0)
            if Int.random(in: 0..<4, using: &generator) == 0 {
                move = Move(
                    entity: .random(in: 0...(.max), using: &generator),
                    id: .random(in: 0...(.max), using: &generator),
                    old: .random(in: 0...(.max), using: &generator),
                    new: .random(in: 0...(.max), using: &generator))
            } else {
                move.id &+= 1
                move.old &-= UInt64.random(in: 0...9000, using: &generator)
                move.new &+= 30
            }
            moves.append(move)
            expected.append(move)
        }
        let batches = try moves.batches.map { try $0.moves() }
        #expect(Array(batches.joined()) == expected, "seed \(seed)")
        #expect(batches.dropLast().allSatisfy { $0.count == batchCount }, "seed \(seed)")
    }
}
