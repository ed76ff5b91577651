import DaybookBytes
import DaybookEngine

/// Versions of one object, newest first: all of them, or a part, which ``older(limit:)`` goes on
/// from.
///
/// It holds the rows of its versions, and of those behind them that were read along with the last.
public struct History<E: Entity>: Sendable, RandomAccessCollection {
    private let versions: [Version<E>]
    /// Whether older versions were dropped by a compaction. Where this is false, and there are none
    /// that are older (``hasOlder``), the last version is the one that made the object.
    public let isTruncated: Bool
    /// What was not read yet; the first of it was, for what it says of the version before.
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

    /// Whether there are versions before the last of these that ``older(limit:)`` gives.
    public var hasOlder: Bool { next != nil }

    /// The versions before the last of these; none where there are no older ones.
    ///
    /// So an object of many versions is read in parts, and no more than one of them is held:
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
    /// - Parameter limit: how many versions at most.
    /// - Complexity: a read of the log near each of the versions.
    /// - Throws: `.closed`, `.corruption`. Versions that a compaction has dropped meanwhile are not
    ///   an error: see ``isTruncated``.
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

    /// The place of the newest version.
    public var startIndex: Int { 0 }
    /// The place behind the oldest version.
    public var endIndex: Int { versions.count }
    /// The version at a place. Cost: O(1).
    public subscript(position: Int) -> Version<E> { versions[position] }
}
