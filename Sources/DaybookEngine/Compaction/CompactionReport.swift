/// The result of a compaction, or of its plan.
public struct CompactionReport: Sendable {
    /// One sealed segment that the compaction read.
    public struct SegmentReport: Sendable {
        /// The number in the name of the segment's file.
        public var number: UInt64
        /// The first commit of the segment.
        public var firstSequence: UInt64
        /// The last commit of the segment.
        public var lastSequence: UInt64
        /// The length of the file in bytes.
        public var lengthBytes: Int
        /// The length of the records without compression, in bytes.
        public var rawBytes: Int
        /// The number of records.
        public var recordCount: Int
        /// The number of records that are kept.
        public var keptRecordCount: Int
        /// The length of the records that are kept, without compression, in bytes.
        public var keptRawBytes: Int
        /// The number of removals that are dropped: no older version of their objects remains.
        public var droppedTombstoneCount: Int
        /// The number of removals that are kept, as history or as versions of their objects.
        public var keptTombstoneCount: Int
        /// The number of events that are dropped.
        public var droppedEventCount: Int
        /// The reason why the remaining records are kept, or why the segment is not rewritten.
        public var reason: String
    }

    package var policy: HistoryPolicy
    /// The segments that were rewritten or, in a plan, all segments; in the order of their commits.
    public var segments: [SegmentReport] = []
    /// The length of the log before the compaction, in bytes.
    public var bytesBefore = 0
    /// The length of the log after the compaction, in bytes; nil in a plan, which does not
    /// compress.
    public var bytesAfter: Int?
    /// The first sequence with a complete state after the compaction; 0 if the store has its whole
    /// history.
    public var historyFloor: UInt64 = 0
    /// The length of the replaced files that readers, views or backups still use, in bytes. The
    /// space of the files is released when these end.
    public var heldBytes = 0
    /// The consumers that have not acknowledged all changes and for which the compaction kept more
    /// history than the caller asked for; sorted.
    public var retainingConsumers: [String] = []
    /// The number of records that were dropped, or would be dropped.
    public var droppedRecordCount: Int {
        segments.reduce(0) { $0 + $1.recordCount - $1.keptRecordCount }
    }

    /// The number of events among ``droppedRecordCount``.
    public var droppedEventCount: Int { segments.reduce(0) { $0 + $1.droppedEventCount } }

    package init(policy: HistoryPolicy) {
        self.policy = policy
    }
}
