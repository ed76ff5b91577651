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

/// The state of a verification: `POST /api/verification` starts one, and `GET /api/verification`
/// returns its progress and result.
struct VerificationDescription: Codable, Sendable, Equatable {
    /// `none`, `running`, `sound`, `damaged` or `failed`.
    var state: String
    /// The completed part, 0 to 1.
    var progress: Double
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
