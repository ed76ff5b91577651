/// The bytes of the log by their use for the present state, from a measurement of the whole log.
///
/// The lengths are those of the records before compression.
public struct LogContents: Sendable, Equatable {
    /// The lengths of records by their use, in bytes.
    public struct Bytes: Sendable, Equatable {
        /// The newest versions of the objects, the links that exist, and all events.
        public var live = 0
        /// The older versions of objects that exist, and the earlier links and removals of links
        /// that exist. They are the history of the present state.
        public var superseded = 0
        /// The versions of removed objects with their removals, and the links that do not exist
        /// any more with theirs.
        public var removed = 0
        /// The commits with their metadata, the layouts, and the notes of compactions.
        public var other = 0

        /// The sum of all.
        public var total: Int { live + superseded + removed + other }

        static func += (sum: inout Bytes, more: Bytes) {
            sum.live += more.live
            sum.superseded += more.superseded
            sum.removed += more.removed
            sum.other += more.other
        }
    }

    /// A segment of the log.
    public struct Segment: Sendable, Equatable {
        /// The number of the segment.
        public var number: UInt64
        /// The lengths of its records.
        public var bytes = Bytes()
    }

    /// The note of a compaction that dropped history.
    public struct Compaction: Sendable, Equatable {
        /// What a compaction kept. The histories of single entities are not noted.
        public enum Policy: String, Sendable {
            /// All versions.
            case everything
            /// The last version of each object.
            case latest
            /// The newest versions of each object.
            case versions
            /// Everything after the floor.
            case since
        }

        /// The commit of the note.
        public var sequence: UInt64
        /// The time of the commit, in microseconds since 1970.
        public var microseconds: Int64
        /// What the compaction kept.
        public var policy: Policy
        /// The first sequence with a complete state after the compaction.
        public var historyFloor: UInt64
    }

    /// The last commit of the state that decides which records are live. Later records are live.
    public var sequence: UInt64
    /// The segments, oldest first.
    public var segments: [Segment] = []
    /// The compactions that dropped history, oldest first.
    public var compactions: [Compaction] = []

    /// The lengths of the records of all segments.
    public var bytes: Bytes { segments.reduce(into: Bytes()) { $0 += $1.bytes } }
}
