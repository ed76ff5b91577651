package import DaybookBytes
import DaybookRecords
import DaybookPages

/// The versions of one object, newest first: each names the one before it.
///
/// Cost: a read of the log near each version; those that were read on the way to another are kept
/// until they are asked for, so that nothing is read twice where versions stand close together.
package struct ObjectHistory: Sendable {
    /// What stands before the last version that there is.
    package enum End: Sendable, Equatable {
        /// Nothing: the object was new.
        case beginning
        /// Versions that a compaction dropped.
        case compacted
    }

    private let finder: VersionFinder
    private let entity: UInt32
    private let id: UInt64
    /// The transaction that wrote the version to come; 0 where there is none.
    private var following: UInt64
    /// What was read along with the version that was given last.
    private var ahead: [UInt64: ObjectVersion] = [:]
    /// Set once all versions were given.
    package private(set) var end: End?

    init(
        _ finder: VersionFinder, _ entity: UInt32, _ id: UInt64, from newest: UInt64,
        end: End?
    ) {
        self.finder = finder
        self.entity = entity
        self.id = id
        following = newest
        self.end = end
    }

    /// The next older version, or nil; then ``end`` says why. Throws `.corruption`, and `.closed`
    /// once the store is.
    package mutating func next() throws(DaybookError) -> ObjectVersion? {
        guard end == nil else { return nil }
        do throws(DaybookError) {
            if ahead[following] == nil {
                let found = try finder.versions(entity, id, through: following)
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
    /// The versions of an object, newest first, from the newest that readers see; none for one that
    /// never was, or of which a compaction left no trace. Cost: a tree walk. Throws `.closed`.
    package func history(
        of entity: UInt32, id: UInt64, _ finder: VersionFinder? = nil
    ) throws -> ObjectHistory {
        try requireOpen()
        let finder = finder ?? VersionFinder(self)
        return try healing {
            try slot.withPinned { reader in
                if let value = try reader.get(IndexTree.objects(of: entity), id) {
                    let newest = ObjectEntry(value).sequence
                    return ObjectHistory(finder, entity, id, from: newest, end: nil)
                }
                let nextId = try reader.get(IndexTree.entities, UInt64(entity))?.first ?? 1
                let mayHaveBeen = historyFloor > 0 && id < nextId
                return ObjectHistory(
                    finder, entity, id, from: 0, end: mayHaveBeen ? .compacted : .beginning)
            }
        }
    }
}
