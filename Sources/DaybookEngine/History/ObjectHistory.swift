package import DaybookBytes
import DaybookRecords
import DaybookLog
import DaybookPages

/// The versions of one object, newest first. Each version contains the sequence of the preceding
/// one.
///
/// Cost: a read of the log near each version: see ``VersionLookup``. Versions that were read along
/// with another one are kept until they are returned, so versions that are close together are read
/// once.
package struct ObjectHistory: Sendable {
    /// The reason why the history has no older versions.
    package enum End: Sendable, Equatable {
        /// The object was new.
        case beginning
        /// A compaction dropped older versions.
        case compacted
    }

    private let lookup: VersionLookup
    private let entity: UInt32
    private let id: UInt64
    /// The transaction that wrote the next version; 0 if there is none.
    private var following: UInt64
    /// Whether the versions need the times and the metadata of their transactions.
    private let needsCommits: Bool
    /// Older versions that were read along with the last one.
    private var ahead: [UInt64: ObjectVersion] = [:]
    /// Why there are no more versions; nil until all were returned.
    package private(set) var end: End?

    init(
        _ lookup: VersionLookup, _ entity: UInt32, _ id: UInt64, from newest: UInt64,
        _ version: ObjectVersion?, end: End?, needsCommits: Bool
    ) {
        self.lookup = lookup
        self.entity = entity
        self.id = id
        following = newest
        ahead = version.map { [newest: $0] } ?? [:]
        self.end = end
        self.needsCommits = needsCommits
    }

    /// Returns the next older version, or nil; then ``end`` contains the reason. Throws
    /// `.corruption`, and `.closed` after the store was closed.
    package mutating func next() throws(DaybookError) -> ObjectVersion? {
        guard end == nil else { return nil }
        do throws(DaybookError) {
            if ahead[following] == nil {
                let found = try lookup.versions(
                    entity, id, through: following, needsCommit: needsCommits)
                ahead = Dictionary(
                    found.map { ($0.sequence, $0) }, uniquingKeysWith: { one, _ in one })
            }
            guard let version = ahead.removeValue(forKey: following) else { return nil }
            following = version.previous
            if following == 0 { end = .beginning }
            return version
        } catch  where error.code == .historyTruncated {
            end = .compacted
            return nil
        }
    }
}

extension Engine {
    /// Returns the versions of an object, newest first, starting with the newest committed version
    /// that this thread sees. Empty for an object that never existed, or that a compaction dropped.
    ///
    /// The history does not contain pending changes of a write transaction of this thread. Cost: a
    /// tree lookup, and the newest version: its frame, and the last frame of its transaction.
    /// Throws `.closed` and `.corruption`.
    ///
    /// - Parameter needsCommits: false if the caller uses neither the times nor the metadata of the
    ///   transactions.
    package func history(
        of entity: UInt32, id: UInt64, needsCommits: Bool = true
    ) throws -> ObjectHistory {
        let lookup = VersionLookup(self)
        let (newest, version, end) = try readingCommitted {
            reader throws(DaybookError) -> (UInt64, ObjectVersion?, ObjectHistory.End?) in
            guard let value = try reader.get(IndexTree.objects(of: entity), id) else {
                let nextId = try reader.get(IndexTree.entities, UInt64(entity))?.first ?? 1
                return (0, nil, historyFloor > 0 && id < nextId ? .compacted : .beginning)
            }
            let entry = ObjectEntry(value)
            // The search that follows a failure reports it.
            let frame = try? log.frame(at: Location(rawValue: entry.location))
            let version = frame.flatMap {
                try? lookup.version(entity, id, at: entry, in: $0, needsCommit: needsCommits)
            }
            return (entry.sequence, version, nil)
        }
        return ObjectHistory(
            lookup, entity, id, from: newest, version, end: end, needsCommits: needsCommits)
    }
}
