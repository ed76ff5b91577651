public import DaybookEngine
package import DaybookLog

/// The counts and sizes of a store: its entities, relations, segments, snapshots and files.
public struct StoreStatistics: Sendable, Equatable {
    /// A segment of the log.
    public struct SegmentLine: Sendable, Equatable {
        /// How a segment is stored.
        public enum State: String, Sendable {
            /// The segment that commits are appended to.
            case active
            /// A complete segment, as it was written.
            case sealed
            /// A complete segment that was rewritten in compressed blocks.
            case compressed
        }

        /// The number of the segment.
        public var number: UInt64
        /// How the segment is stored.
        public var state: State
        /// The sequence of the first commit in the segment.
        public var firstSequence: UInt64
        /// The sequence of the last commit in the segment.
        public var lastSequence: UInt64
        /// The length of the file, in bytes.
        public var lengthBytes: Int
        /// The length of the records before compression, in bytes.
        public var rawBytes: Int
        /// The number of records.
        public var recordCount: Int
    }

    /// An entity.
    public struct EntityLine: Sendable, Equatable {
        /// The name of the entity.
        public var name: String
        /// The number of the entity in the log.
        public var number: UInt32
        /// The number of objects; 0 for an entity of events.
        public var objectCount: UInt64
        /// The id that the next new object gets.
        public var nextId: UInt64
        /// The number of layouts that the rows of the entity have had.
        public var layoutCount: Int
        /// The number of fields in the newest layout.
        public var fieldCount: Int
    }

    /// A relation.
    public struct RelationLine: Sendable, Equatable {
        /// The name of the relation with its entity, such as `Order.customer`.
        public var name: String
        /// The number of the relation in the log.
        public var number: UInt32
        /// `toOne`, `toMany` or `objects`; `objects` is a list.
        public var type: String
        /// The name of the target entity.
        public var targetName: String
        /// The number of links; for lists, the number of elements of all lists.
        public var linkCount: Int
    }

    /// A file in quarantine.
    public struct FileLine: Sendable, Equatable {
        /// The name of the file.
        public var name: String
        /// The length of the file, in bytes.
        public var lengthBytes: Int
    }

    /// A file with a snapshot.
    public struct SnapshotLine: Sendable, Equatable {
        /// The sequence of the last commit in the snapshot.
        public var sequence: UInt64
        /// The length of the file, in bytes.
        public var lengthBytes: Int
        /// Whether the file remains only because newer snapshots use pages in it.
        public var isBase = false
        /// The reason why the snapshot is unusable; nil for a usable snapshot and for a base.
        public var rejection: String?
    }

    /// The sizes of the files of a store by kind, in bytes.
    public struct FileBytes: Sendable, Equatable {
        /// The segments of the log.
        public var segments = 0
        /// The snapshots.
        public var snapshots = 0
        /// The manifests.
        public var manifests = 0
        /// The bytes that recovery removed from the log.
        public var quarantine = 0
        /// The files LOCK and CURRENT, and temporary files.
        public var other = 0

        /// The sum of all kinds.
        public var total: Int {
            segments + snapshots + manifests + quarantine + other
        }
    }

    package var store: StoreIdentity
    /// The time at which the store was created, in microseconds since 1970.
    public var createdMicroseconds: UInt64
    /// The version of the file format that this release writes.
    public var formatVersion: UInt16
    /// The generation of the current manifest. It rises when the set of segments changes.
    public var generation: UInt64
    /// The segments of the log, oldest first. The last one is active.
    public var segments: [SegmentLine] = []
    /// The first and the last transaction of the log; nil in an empty store.
    package var first: TransactionMoment?
    package var last: TransactionMoment?
    /// The sequence below which a compaction has removed versions; 0 if the history is complete.
    public var historyFloor: UInt64
    /// The entities in the order of their numbers.
    public var entities: [EntityLine] = []
    /// The relations in the order of their numbers.
    public var relations: [RelationLine] = []
    /// The snapshots, oldest first.
    public var snapshots: [SnapshotLine] = []
    /// The files in quarantine.
    public var quarantine: [FileLine] = []
    /// The sizes of all files by kind.
    public var fileBytes = FileBytes()
    /// The bytes that this process has written since it opened the store; 0 in a read-only store.
    public var writtenBytes = WrittenBytes()

    /// The identity of the store, the same as in its manifest.
    public var storeIdentity: String { String(describing: store) }
    /// The sequence of the first commit in the log; nil in an empty store.
    public var firstSequence: UInt64? { first?.sequence }
    /// The time of the first commit in the log, in microseconds since 1970; nil in an empty store.
    public var firstCommitMicroseconds: Int64? { first?.timeMicroseconds }
    /// The sequence of the last commit; nil in an empty store.
    public var lastSequence: UInt64? { last?.sequence }
    /// The time of the last commit, in microseconds since 1970; nil in an empty store.
    public var lastCommitMicroseconds: Int64? { last?.timeMicroseconds }

    /// The length of all segments, in bytes.
    public var logBytes: Int { segments.reduce(0) { $0 + $1.lengthBytes } }
    /// The length of the records of all segments before compression, in bytes.
    public var logRawBytes: Int { segments.reduce(0) { $0 + $1.rawBytes } }
}
