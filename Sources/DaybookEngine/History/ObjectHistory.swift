package import DaybookBytes
import DaybookRecords
import DaybookPages

/// The versions of one object, newest first. Each version contains the sequence of the preceding
/// one.
///
/// Cost: a read of the log near each version. Versions that were read along with another one are
/// kept until they are returned, so versions that are close together are read once.
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
    /// Older versions that were read along with the last one.
    private var ahead: [UInt64: ObjectVersion] = [:]
    /// Why there are no more versions; nil until all were returned.
    package private(set) var end: End?

    init(
        _ lookup: VersionLookup, _ entity: UInt32, _ id: UInt64, from newest: UInt64,
        end: End?
    ) {
        self.lookup = lookup
        self.entity = entity
        self.id = id
        following = newest
        self.end = end
    }

    /// Returns the next older version, or nil; then ``end`` contains the reason. Throws
    /// `.corruption`, and `.closed` after the store was closed.
    package mutating func next() throws(DaybookError) -> ObjectVersion? {
        guard end == nil else { return nil }
        do throws(DaybookError) {
            if ahead[following] == nil {
                let found = try lookup.versions(entity, id, through: following)
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
    /// tree lookup. Throws `.closed` and `.corruption`.
    package func history(
        of entity: UInt32, id: UInt64, _ lookup: VersionLookup? = nil
    ) throws -> ObjectHistory {
        let (newest, end) = try readingCommitted {
            reader throws(DaybookError) -> (UInt64, ObjectHistory.End?) in
            if let value = try reader.get(IndexTree.objects(of: entity), id) {
                return (ObjectEntry(value).sequence, nil)
            }
            let nextId = try reader.get(IndexTree.entities, UInt64(entity))?.first ?? 1
            return (0, historyFloor > 0 && id < nextId ? .compacted : .beginning)
        }
        return ObjectHistory(
            lookup ?? VersionLookup(self), entity, id, from: newest, end: end)
    }
}
