import DaybookBytes

/// Index entries that must follow their records to new locations, in batches.
///
/// A compaction step moves millions of records. Records near each other have similar ids and
/// locations, so a move is stored as its differences from the move before: some 7 bytes instead of
/// 32 after a bulk put, and some 15 if the ids are in random order. Each batch is decoded on its
/// own.
struct RecordMoves {
    /// A move of one record.
    struct Move: Equatable {
        var entity: UInt32
        var id: UInt64
        var old: UInt64
        var new: UInt64

        fileprivate static let start = Move(entity: 0, id: 0, old: 0, new: 0)
    }

    /// Some moves, encoded.
    struct Batch {
        fileprivate let bytes: [UInt8]

        /// Decodes the moves, in their order.
        func moves() throws(DaybookError) -> [Move] {
            var reader = ByteReader(bytes.span)
            var moves: [Move] = []
            var last = Move.start
            while !reader.isAtEnd {
                last.entity &+= UInt32(truncatingIfNeeded: try reader.zigzag())
                last.id &+= UInt64(bitPattern: try reader.zigzag())
                last.old &+= UInt64(bitPattern: try reader.zigzag())
                last.new &+= UInt64(bitPattern: try reader.zigzag())
                moves.append(last)
            }
            return moves
        }
    }

    private let batchCount: Int
    private var full: [Batch] = []
    private var current = ByteWriter()
    private var currentCount = 0
    private var last = Move.start

    /// - Parameter batchCount: The number of moves in a batch.
    init(batchCount: Int) { self.batchCount = batchCount }

    /// All moves, in the order in which they were added.
    var batches: [Batch] { currentCount == 0 ? full : full + [Batch(bytes: current.span.array)] }

    mutating func append(_ move: Move) {
        current.zigzag(Int64(move.entity) - Int64(last.entity))
        current.zigzag(Int64(bitPattern: move.id &- last.id))
        current.zigzag(Int64(bitPattern: move.old &- last.old))
        current.zigzag(Int64(bitPattern: move.new &- last.new))
        last = move
        currentCount += 1
        guard currentCount >= batchCount else { return }
        full.append(Batch(bytes: current.span.array))
        current.removeAll()
        (currentCount, last) = (0, .start)
    }
}
