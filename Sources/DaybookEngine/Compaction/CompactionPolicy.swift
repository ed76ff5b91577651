/// Which history a compaction keeps.
package enum HistoryPolicy: Sendable, Equatable {
    /// Everything: payloads are only gathered into large compressed blocks.
    case all
    /// The last version of each object; older versions and removed objects go.
    case latest
}

/// What a compaction did, or would do.
package struct CompactionReport: Sendable {
    /// One sealed segment.
    package struct SegmentReport: Sendable {
        package var number: UInt32
        package var firstSequence: UInt64
        package var lastSequence: UInt64
        package var lengthBytes: Int
        package var rawBytes: Int
        package var recordCount: Int
        package var keptRecordCount: Int
        package var keptRawBytes: Int
        /// Why what stays has to stay, or why the segment is left alone.
        package var reason: String
    }

    package var policy: HistoryPolicy
    package var segments: [SegmentReport] = []
    package var bytesBefore = 0
    /// Bytes of the log afterwards; nil in a dry run, which does not compress.
    package var bytesAfter: Int?
    package var historyFloor: UInt64 = 0
    /// The records that went, or would go.
    package var droppedRecordCount: Int {
        segments.reduce(0) { $0 + $1.recordCount - $1.keptRecordCount }
    }
}
