import DaybookBytes

/// The end of the log, where the writer stands.
struct Tail {
    var segment: Segment
    /// Where the next frame goes, and the check that it is chained from.
    var offset: Int
    var check: UInt64
    /// The last transaction in the log.
    var lastSequence: UInt64
    /// How far the file's size was set ahead.
    var allocated: Int
    /// The hash of all bytes before `offset`; nil where recovery did not read them all.
    var hash: XXH64?
    /// Waypoints from ``marksBegin`` on: of all frames, save where recovery stepped over some.
    var marks: [FrameMark] = []
    /// Where the waypoints begin, between two transactions.
    var marksBegin: LogPosition
    var rawBytes = 0
    var recordCount = 0
    /// The entry of this segment once its seal frame is synced; then it only waits for the
    /// manifest.
    var sealed: SegmentEntry?
    /// Reused for every append.
    var buffer = ByteWriter(capacity: 64 << 10)

    /// Steps over the bytes in `buffer`, which were written at `offset`.
    mutating func acceptBuffer() {
        var running = hash
        hash = nil  // one owner, so that the hash is updated in place
        running?.update(buffer.span)
        hash = running
        offset += buffer.count
        buffer.removeAll()
    }

    /// Whether hash, waypoints and counts cover the whole segment.
    var isComplete: Bool { hash != nil && marksBegin.offset <= segment.start.offset }

    var position: LogPosition {
        LogPosition(segment: segment.number, offset: offset, check: check, sequence: lastSequence)
    }
}
