import DaybookEngine

/// Versions of one object, newest first. Contains all versions, or a part of them;
/// ``older(limit:)`` returns the next part.
///
/// Keeps the rows of its versions in memory, and the older rows that were read together with the
/// last version.
public struct History<E: Entity>: Sendable, RandomAccessCollection {
    private let versions: [Version<E>]
    private let part: HistoryPart
    private let id: UInt64
    private let types: StoreTypes

    /// Reads up to `limit` versions, and one more.
    init(
        _ history: ObjectHistory, of id: UInt64, limit: Int, _ types: StoreTypes
    ) throws(DaybookError) {
        self.init(try HistoryPart(history, limit: limit), of: id, types)
    }

    private init(_ part: HistoryPart, of id: UInt64, _ types: StoreTypes) {
        self.part = part
        self.id = id
        self.types = types
        versions = part.versions.map { Version($0.version, before: $0.before, of: id, types) }
    }

    /// Whether a compaction dropped older versions. If false and ``hasOlder`` is false, the last
    /// version is the one that inserted the object.
    public var isTruncated: Bool { part.isTruncated }

    /// Whether ``older(limit:)`` returns versions before the last of these.
    public var hasOlder: Bool { part.hasOlder }

    /// Returns the versions before the last of these. Empty if there are no older versions.
    ///
    /// With this method, the history of an object with many versions can be read in parts, of which
    /// only one is in memory at a time:
    ///
    /// ```swift
    /// var part = try notes.history(of: id, limit: 100)
    /// while true {
    ///     for version in part { … }
    ///     guard part.hasOlder else { break }
    ///     part = try part.older(limit: 100)
    /// }
    /// ```
    ///
    /// - Parameter limit: The maximum number of versions.
    /// - Complexity: One read of the log near each version.
    /// - Throws: `.closed`, `.corruption`. Versions that a compaction has dropped in the meantime
    ///   are not an error: see ``isTruncated``.
    public func older(limit: Int = .max) throws -> History<E> {
        try types.requireOpen()
        return History(try part.older(limit: limit), of: id, types)
    }

    /// `older` without blocking.
    public nonisolated(nonsending) func older(limit: Int = .max) async throws -> History<E> {
        let part = part
        let older = try await types.engine.readElsewhere { try part.older(limit: limit) }
        return History(older, of: id, types)
    }

    /// The position of the newest version: 0.
    public var startIndex: Int { 0 }
    /// The position after the oldest version.
    public var endIndex: Int { versions.count }
    /// The version at a position. Cost: O(1).
    public subscript(position: Int) -> Version<E> { versions[position] }
}
