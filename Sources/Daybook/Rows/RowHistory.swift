import DaybookEngine
public import Foundation
import DaybookRows

/// An object without its type after one commit that changed it: see ``RowBox/history(of:limit:)``.
///
/// A version keeps its row and the row of the version before in memory.
public struct RowVersion: Sendable {
    private let version: ObjectVersion
    private let earlier: HistoryPart.Before
    private let box: RowBox
    /// The id of the object.
    public let id: Id

    fileprivate init(
        _ found: (version: ObjectVersion, before: HistoryPart.Before), of id: Id, _ box: RowBox
    ) {
        version = found.version
        earlier = found.before
        self.box = box
        self.id = id
    }

    /// The sequence number of the commit.
    public var sequence: UInt64 { version.sequence }
    /// The time of the commit, to the microsecond.
    public var date: Date { Date(microseconds: version.timeMicroseconds) }
    /// The metadata of the commit, such as its author.
    public var metadata: CommitMetadata { CommitMetadata(pairs: version.metadata) }
    /// Whether the commit removed the object.
    public var isRemoval: Bool { version.row == nil }

    /// The object before and after the commit. Throws `.corruption`.
    public var change: RowChange {
        get throws { try box.form().change(id, from: earlier, to: version.row) }
    }
}

/// Versions of one object without its type, newest first. Contains all versions, or a part of them;
/// ``older(limit:)`` returns the next part.
///
/// Keeps the rows of its versions in memory, and the older rows that were read together with the
/// last version.
public struct RowHistory: Sendable, RandomAccessCollection {
    private let versions: [RowVersion]
    private let part: HistoryPart
    private let id: Id
    private let box: RowBox

    fileprivate init(_ part: HistoryPart, of id: Id, _ box: RowBox) {
        self.part = part
        self.id = id
        self.box = box
        versions = part.versions.map { RowVersion($0, of: id, box) }
    }

    /// Whether a compaction dropped older versions. If false and ``hasOlder`` is false, the last
    /// version is the one that inserted the object.
    public var isTruncated: Bool { part.isTruncated }

    /// Whether ``older(limit:)`` returns versions before the last of these.
    public var hasOlder: Bool { part.hasOlder }

    /// Returns the versions before the last of these. Empty if there are no older versions. Cost
    /// and errors as for ``RowBox/history(of:limit:)``.
    public func older(limit: Int = .max) throws -> RowHistory {
        try box.types.requireOpen()
        return RowHistory(try part.older(limit: limit), of: id, box)
    }

    /// `older` without blocking.
    public nonisolated(nonsending) func older(limit: Int = .max) async throws -> RowHistory {
        let history = self
        return try await box.types.engine.readElsewhere { try history.older(limit: limit) }
    }

    /// The position of the newest version: 0.
    public var startIndex: Int { 0 }
    /// The position after the oldest version.
    public var endIndex: Int { versions.count }
    /// The version at a position. Cost: O(1).
    public subscript(position: Int) -> RowVersion { versions[position] }
}

extension RowBox {
    /// Returns the versions of an object, newest first, including those of a removed object. Empty
    /// for an object that never existed. The versions of a view's box are those of the store.
    ///
    /// - Parameters:
    ///   - id: The id of the object.
    ///   - limit: The maximum number of versions. ``RowHistory/older(limit:)`` returns the versions
    ///     before them.
    /// - Returns: The versions, as of ``Box/history(of:limit:)``.
    /// - Complexity: One read of the log near each version, whatever the size of its transaction.
    /// - Throws: `.closed`, `.corruption`. Versions that a compaction has dropped are not an error:
    ///   see ``RowHistory/isTruncated``.
    public func history(of id: Id, limit: Int = .max) throws -> RowHistory {
        let versions = try types.engine.history(of: try form().entity, id: id)
        return RowHistory(try HistoryPart(versions, limit: limit), of: id, self)
    }

    /// `history` without blocking.
    public nonisolated(nonsending) func history(
        of id: Id, limit: Int = .max
    ) async throws -> RowHistory {
        let box = self
        return try await types.engine.readElsewhere { try box.history(of: id, limit: limit) }
    }
}
