/// The behavior of an import.
public struct ImportOptions: Sendable {
    /// The effect of a record whose object is stored already.
    public enum Conflict: String, Sendable, Hashable, CaseIterable {
        /// The record is bad, and nothing is imported.
        case error
        /// The record replaces the values and links that it contains. Other properties of the
        /// object keep their values.
        case replace
        /// The record is skipped.
        case ignore
    }

    /// The properties of columns with another name: `["e-mail": "email"]`. An empty name ignores
    /// the column. Default: none; a column belongs to the property or relation of its name, or to
    /// the object's id if it is `id`.
    ///
    /// `boss` is a relation by the ids of its targets. `boss.email` is a relation by a unique
    /// property of its targets.
    public var columns: [String: String] = [:]
    /// The effect of a record whose id, primary key or, for ``Conflict/ignore``, other unique value
    /// belongs to a stored object or to an earlier record. Default: ``Conflict/error``.
    public var onConflict = Conflict.error
    /// Whether to check all records without storing them. Default: false.
    public var isDryRun = false
    /// The maximum length of a record, in bytes. A longer record is bad, and only this much of it
    /// is held in memory. Default: 64 MiB.
    public var recordLengthBytesMax = 64 << 20
    /// A callback for each bad record, in the order of their discovery: missing targets of
    /// relations are found after all other problems. Default: nil.
    public var problem: (@Sendable (ImportProblem) -> Void)?
    /// A callback for the progress, 0 to 1. Default: nil.
    public var progress: (@Sendable (Double) -> Void)?

    /// Creates options with the default values.
    public init() {}
}

/// A record of an import that cannot be stored.
public struct ImportProblem: Sendable, Hashable {
    /// The number of the line in which the record begins, from 1.
    public var line: Int
    /// The reason, with the property if there is one.
    public var reason: String
}

/// The result of an import.
public struct ImportReport: Sendable, Hashable {
    /// The number of records, without the names of a CSV text.
    public internal(set) var recordCount = 0
    /// The number of new objects.
    public internal(set) var insertedCount = 0
    /// The number of records that replaced values of a stored object.
    public internal(set) var replacedCount = 0
    /// The number of skipped records.
    public internal(set) var ignoredCount = 0
    /// The number of bad records; not 0 only after a dry run.
    public internal(set) var problemCount = 0
}
