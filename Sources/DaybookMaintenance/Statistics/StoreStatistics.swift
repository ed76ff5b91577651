package import DaybookEngine
package import DaybookLog

/// What a store comes to.
package struct StoreStatistics: Sendable {
    /// One file of the log.
    package struct SegmentLine: Sendable {
        package enum State: String, Sendable {
            /// Written to.
            case active
            /// Complete, as it was written.
            case sealed
            /// Complete, its payloads gathered into compressed blocks.
            case compressed
        }

        package var number: UInt32
        package var state: State
        package var firstSequence: UInt64
        package var lastSequence: UInt64
        package var lengthBytes: Int
        /// The payloads before compression.
        package var rawBytes: Int
        package var recordCount: Int
    }

    /// One entity.
    package struct EntityLine: Sendable {
        package var name: String
        package var number: UInt32
        package var objectCount: UInt64
        /// The id that the next new object gets.
        package var nextId: UInt64
        /// How many layouts its rows have had, and how many fields the newest one has.
        package var layoutCount: Int
        package var fieldCount: Int
    }

    /// One relation.
    package struct RelationLine: Sendable {
        /// What people call it, like `Order.customer`.
        package var name: String
        package var number: UInt32
        /// `toOne`, `toMany` or `objects`.
        package var type: String
        /// The entity that it leads to.
        package var targetName: String
        /// How many links there are; of one to lists, how many elements they have together.
        package var linkCount: Int
    }

    /// A file that is looked at by size alone.
    package struct FileLine: Sendable {
        package var name: String
        package var lengthBytes: Int
    }

    /// A snapshot, and whether it can be used.
    package struct SnapshotLine: Sendable {
        package var sequence: UInt64
        package var lengthBytes: Int
        /// Why not, if not.
        package var rejection: String?
    }

    /// What the files of each kind take on disk.
    package struct FileBytes: Sendable, Equatable {
        package var segments = 0
        package var snapshots = 0
        package var manifests = 0
        package var quarantine = 0
        /// LOCK, CURRENT, and what a crash left behind.
        package var other = 0

        package var total: Int {
            segments + snapshots + manifests + quarantine + other
        }
    }

    package var store: StoreIdentity
    package var createdMicroseconds: UInt64
    /// The format that this release writes, and the generation of the manifest that counts.
    package var formatVersion: UInt16
    package var generation: UInt64
    package var segments: [SegmentLine] = []
    /// The first and last transaction that are there, nil in an empty store.
    package var first: TransactionMoment?
    package var last: TransactionMoment?
    package var historyFloor: UInt64
    package var entities: [EntityLine] = []
    package var relations: [RelationLine] = []
    package var snapshots: [SnapshotLine] = []
    package var quarantine: [FileLine] = []
    package var fileBytes = FileBytes()

    package var logBytes: Int { segments.reduce(0) { $0 + $1.lengthBytes } }
    package var logRawBytes: Int { segments.reduce(0) { $0 + $1.rawBytes } }
}
