/// The files of the store: `GET /api/statistics`.
struct StoreReport: Codable, Sendable, Equatable {
    var createdMicroseconds: UInt64
    var formatVersion: Int
    var generation: UInt64
    var segments: [SegmentDescription]
    var snapshots: [SnapshotDescription]
    /// The names of the files in quarantine, with their lengths.
    var quarantine: [FileDescription]
    /// The lengths of all files by kind: `segments`, `snapshots`, `manifests`, `quarantine`,
    /// `other`.
    var bytesByKind: [FileDescription]
    /// The length of all records before compression, in bytes.
    var logRawBytes: Int
    /// The named consumers, by name.
    var consumers: [ConsumerDescription]
}

/// A named consumer of changes.
struct ConsumerDescription: Codable, Sendable, Equatable {
    var name: String
    /// The last acknowledged commit; nil if the position cannot be used.
    var sequence: UInt64?
    /// The time of that commit, in microseconds since 1970; nil if no such commit remains.
    var microseconds: Int64?
    /// The number of later commits.
    var lag: UInt64
    /// The length of the log after the position, in bytes, to about 64 KiB.
    var lagBytes: Int
    /// The reason why the position cannot be used.
    var problem: String?
}

/// A segment of the log.
struct SegmentDescription: Codable, Sendable, Equatable {
    var number: UInt64
    /// `active`, `sealed` or `compressed`.
    var state: String
    var firstSequence: UInt64
    var lastSequence: UInt64
    var bytes: Int
    /// The length of the records before compression, in bytes.
    var rawBytes: Int
    var records: Int
}

/// A file with a snapshot of the indexes.
struct SnapshotDescription: Codable, Sendable, Equatable {
    var sequence: UInt64
    var bytes: Int
    var isBase: Bool
    /// The reason why the snapshot is unusable; nil for a usable one.
    var rejection: String?
}

/// A file, or a kind of files, with its length.
struct FileDescription: Codable, Sendable, Equatable {
    var name: String
    var bytes: Int
}

/// The result of `GET /api/verification`.
struct VerificationDescription: Codable, Sendable, Equatable {
    var isSound: Bool
    /// What the verification checked, and the damage that it found, one line each.
    var lines: [String]
}

/// An answer other than 200.
struct Problem: Codable, Sendable, Equatable {
    /// The code of the error, such as `invalidArgument`, `historyTruncated` or `corruption`.
    var code: String
    /// The error with its remedy.
    var message: String
    /// The place of an error in a query: the offset of the character, from 0.
    var offset: Int?
}

/// The answer to a change: `POST /api/put`, `/api/remove`, `/api/undo` and `/api/restore`.
struct WriteResult: Codable, Sendable, Equatable {
    /// The commit of the change.
    var sequence: UInt64
    /// The id of the object; nil for an undo of a commit.
    var id: String?
}
