/// The versions of an object, newest first:
/// `GET /api/history?entity=Person&id=1&limit=50&before=9`.
struct HistoryPage: Codable, Sendable, Equatable {
    var versions: [VersionDescription]
    /// The value of `before` for the next page; nil for the last page.
    var next: UInt64?
    /// Whether a compaction dropped the versions before the last one of the last page.
    var isTruncated: Bool
}

/// An object after one commit that changed it.
struct VersionDescription: Codable, Sendable, Equatable {
    var commit: CommitLine
    /// `insert`, `update` or `remove`.
    var kind: String
    var changes: [ValueChange]
}

/// A property whose value changed. A side without a value is nil.
struct ValueChange: Codable, Sendable, Equatable {
    var name: String
    var before: ShownValue?
    var after: ShownValue?
}

/// A commit in a list.
struct CommitLine: Codable, Sendable, Equatable {
    var sequence: UInt64
    /// The commit time, in microseconds since 1970.
    var microseconds: Int64
    /// The author of the commit, from its metadata.
    var author: String?
    /// The other metadata of the commit.
    var metadata: [MetadataEntry]
    /// The number of changes by entity and kind; empty in the history of an object.
    var counts: [ChangeCount]
}

/// An entry of the metadata of a commit.
struct MetadataEntry: Codable, Sendable, Equatable {
    var key: String
    var value: String
}

/// The number of changes of one kind in a commit.
struct ChangeCount: Codable, Sendable, Equatable {
    /// The entity, or the relation of links, such as `Order.customer`.
    var name: String
    /// `insert`, `update`, `remove`, `event`, `link` or `unlink`.
    var kind: String
    var count: Int
}

/// The commits before a sequence, newest first; `kind` is a kind of ``ChangeCount``, or `put` for
/// inserts and updates:
/// `GET /api/commits?before=100&limit=50&entity=Person&author=Ann&kind=update`.
struct CommitPage: Codable, Sendable, Equatable {
    var commits: [CommitLine]
    /// The value of `before` for the next page; nil for the last page.
    var next: UInt64?
}

/// One commit with its first changes: `GET /api/commit?sequence=42`.
struct CommitDescription: Codable, Sendable, Equatable {
    var commit: CommitLine
    var objects: [ObjectChangeDescription]
    var links: [LinkChangeDescription]
    /// Whether the commit has more changes than these.
    var hasMore: Bool
}

/// A change of an object, or an event.
struct ObjectChangeDescription: Codable, Sendable, Equatable {
    var entity: String
    var id: String
    /// `insert`, `update`, `remove` or `event`.
    var kind: String
    var changes: [ValueChange]
}

/// An added or removed link.
struct LinkChangeDescription: Codable, Sendable, Equatable {
    /// The relation with its entity, such as `Order.customer`.
    var relation: String
    var isAdded: Bool
    var sourceEntity: String
    var source: String
    var targetEntity: String
    var target: String
}

/// The objects of an entity that differ between two moments:
/// `GET /api/compare?entity=Person&from=10&to=42&limit=100`.
struct Comparison: Codable, Sendable, Equatable {
    var inserted: Int
    var updated: Int
    var removed: Int
    /// The first differences, in the order of ids.
    var objects: [ObjectChangeDescription]
    /// Whether there are more differences than these.
    var hasMore: Bool
}
