import DaybookBytes
import DaybookEngine

/// Versions of one object, newest first. Contains all versions, or a part of them;
/// ``older(limit:)`` returns the next part.
///
/// Keeps the rows of its versions in memory, and the older rows that were read together with the
/// last version.
public struct History<E: Entity>: Sendable, RandomAccessCollection {
    private let versions: [Version<E>]
    /// Whether a compaction dropped older versions. If false and ``hasOlder`` is false, the last
    /// version is the one that inserted the object.
    public let isTruncated: Bool
    /// The versions that were not read yet. The first of them was read, because the last version
    /// needs it as its version before.
    private let rest: ObjectHistory
    private let next: ObjectVersion?
    private let id: UInt64
    private let types: StoreTypes

    /// Reads up to `limit` versions, and one more.
    init(
        _ history: ObjectHistory, of id: UInt64, limit: Int, _ types: StoreTypes
    ) throws(DaybookError) {
        var history = history
        let first = try history.next()
        try self.init(history, first, of: id, limit: limit, types)
    }

    private init(
        _ history: ObjectHistory, _ first: ObjectVersion?, of id: UInt64, limit: Int,
        _ types: StoreTypes
    ) throws(DaybookError) {
        var (rest, next) = (history, first)
        var versions: [Version<E>] = []
        while versions.count < limit, let version = next {
            try OperationCancellation.checkCurrent()
            next = try rest.next()
            var before = Version<E>.Before.nothing
            if let row = next?.row {
                before = .row(row)
            } else if next == nil, version.previous > 0 {
                before = .gone
            }
            versions.append(Version(version, before: before, of: id, types))
        }
        self.versions = versions
        isTruncated = rest.end == .compacted
        (self.rest, self.next, self.id, self.types) = (rest, next, id, types)
    }

    /// Whether ``older(limit:)`` returns versions before the last of these.
    public var hasOlder: Bool { next != nil }

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
        try requireOpen()
        return try History(rest, next, of: id, limit: limit, types)
    }

    /// `older` without blocking.
    public nonisolated(nonsending) func older(limit: Int = .max) async throws -> History<E> {
        let (rest, next, id, types) = (rest, next, id, types)
        return try await types.engine.readElsewhere {
            try History(rest, next, of: id, limit: limit, types)
        }
    }

    private func requireOpen() throws(DaybookError) {
        guard types.engine.isOpen else { throw StoreTypes.closed }
    }

    /// The position of the newest version: 0.
    public var startIndex: Int { 0 }
    /// The position after the oldest version.
    public var endIndex: Int { versions.count }
    /// The version at a position. Cost: O(1).
    public subscript(position: Int) -> Version<E> { versions[position] }
}
