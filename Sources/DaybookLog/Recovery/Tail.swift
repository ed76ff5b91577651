import DaybookBytes

/// The writer's state at the end of the log.
struct Tail {
    var segment: Segment
    /// The offset of the next frame, and the check that it is chained from.
    var offset: Int
    var check: UInt64
    /// The sequence of the last transaction.
    var lastSequence: UInt64
    /// The preallocated size of the file.
    var allocated: Int
    /// The hash of all bytes before `offset`; nil if recovery did not read them all.
    var hash: XXH64?
    /// The sparse index of the frames from ``sparseIndexStart`` on; incomplete if recovery skipped
    /// frames.
    var sparseIndex: [SparseIndexEntry] = []
    /// The start of the sparse index, between two transactions.
    var sparseIndexStart: LogPosition
    var rawBytes = 0
    var recordCount = 0
    /// The entry of this segment after its seal frame is synced and until the manifest is
    /// committed.
    var sealed: SegmentEntry?
    /// Reused for every append.
    var buffer = ByteWriter(capacity: 64 << 10)

    /// Advances over the bytes in `buffer`, which were written at `offset`.
    mutating func acceptBuffer() {
        var running = hash
        hash = nil  // one owner, so that the hash is updated in place
        running?.update(buffer.span)
        hash = running
        offset += buffer.count
        buffer.removeAll()
    }

    /// Whether hash, sparse index and counts cover the whole segment.
    var isComplete: Bool { hash != nil && sparseIndexStart.offset <= segment.start.offset }

    var position: LogPosition {
        LogPosition(segment: segment.number, offset: offset, check: check, sequence: lastSequence)
    }
}
