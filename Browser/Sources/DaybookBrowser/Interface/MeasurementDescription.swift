/// The bytes of the log by their use for the present state: the result of `GET /api/measurement`.
struct MeasurementDescription: Codable, Sendable, Equatable {
    /// The commit whose state decides which records are live.
    var sequence: UInt64
    var total: MeasuredBytes
    /// The segments, oldest first.
    var segments: [MeasuredSegment]
    /// The compactions that dropped history, oldest first.
    var compactions: [CompactionLine]
}

/// The lengths of records before compression, in bytes.
struct MeasuredBytes: Codable, Sendable, Equatable {
    /// The newest versions of objects, the links that exist, and events.
    var live: Int
    /// The older versions of objects that exist, and the earlier records of links that exist.
    var superseded: Int
    /// The records of removed objects and links.
    var removed: Int
    /// Commits, layouts and notes of compactions.
    var other: Int
}

/// A segment with the lengths of its records.
struct MeasuredSegment: Codable, Sendable, Equatable {
    var number: UInt64
    var bytes: MeasuredBytes
}

/// A compaction that dropped history.
struct CompactionLine: Codable, Sendable, Equatable {
    /// The commit that notes the compaction.
    var sequence: UInt64
    /// The commit time, in microseconds since 1970.
    var microseconds: Int64
    /// `everything`, `since`, `versions` or `latest`.
    var policy: String
    /// The first sequence with a complete state after the compaction.
    var historyFloor: UInt64
}

/// The file of an export: the result of `GET /api/export`.
struct ExportDescription: Codable, Sendable, Equatable {
    /// The parameter of `GET /api/export-file`, which returns the file once.
    var ticket: String
    var rows: Int
    var bytes: Int
}
