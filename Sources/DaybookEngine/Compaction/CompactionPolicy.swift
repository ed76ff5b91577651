/// The history that a compaction keeps.
package enum HistoryPolicy: Sendable, Equatable {
    /// Keeps everything and only gathers payloads into large compressed blocks.
    case all
    /// Keeps the last version of each object. Drops older versions and removed objects.
    case latest
}

/// The result of a compaction, or of its plan.
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
        /// The reason why the remaining records are kept, or why the segment is not rewritten.
        package var reason: String
    }

    package var policy: HistoryPolicy
    package var segments: [SegmentReport] = []
    package var bytesBefore = 0
    /// The size of the log after the compaction; nil in a dry run, which does not compress.
    package var bytesAfter: Int?
    package var historyFloor: UInt64 = 0
    /// The number of records that were dropped, or would be dropped.
    package var droppedRecordCount: Int {
        segments.reduce(0) { $0 + $1.recordCount - $1.keptRecordCount }
    }
}
