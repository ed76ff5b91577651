import DaybookEngine
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A commit with the number of its changes: see ``Store/commits(before:limit:of:metadata:)``.
public struct CommitSummary: Sendable, Hashable {
    /// The number of changed objects of an entity, or of appended events.
    public struct ObjectCount: Sendable, Hashable {
        /// The name of the entity.
        public let entityName: String
        /// The kind of the changes. An object that was removed and put again counts as updated.
        public let kind: ChangeKind
        /// The number of changes.
        public let count: Int
    }

    /// The number of changed links of a relation.
    public struct LinkCount: Sendable, Hashable {
        /// The name of the relation with its entity, such as `Order.customer`.
        public let relation: String
        /// The number of added links.
        public let addedCount: Int
        /// The number of removed links.
        public let removedCount: Int
    }

    /// The sequence number of the commit.
    public let sequence: UInt64
    /// The time of the commit, to the microsecond.
    public let date: Date
    /// The metadata of the commit, such as its author.
    public let metadata: CommitMetadata
    /// The changes of objects, and the events, by entity and kind. Empty for a commit that changed
    /// only the schema.
    public let objects: [ObjectCount]
    /// The changes of links, by relation.
    public let links: [LinkCount]

    init(_ found: CommitCounts, _ schemas: SchemaTable) {
        let schema = schemas.schema
        sequence = found.commit.sequence
        date = Date(microseconds: found.commit.timeMicroseconds)
        metadata = CommitMetadata(pairs: found.commit.metadata)
        objects = found.objects
            .sorted { ($0.key.entity, $0.key.kind.order) < ($1.key.entity, $1.key.kind.order) }
            .map { key, count in
                ObjectCount(
                    entityName: schema.entity(key.entity)?.name ?? "entity \(key.entity)",
                    kind: key.kind, count: count)
            }
        links = Set(found.links.keys).union(found.unlinks.keys).sorted().map { relation in
            LinkCount(
                relation: schema.relationName(relation), addedCount: found.links[relation] ?? 0,
                removedCount: found.unlinks[relation] ?? 0)
        }
    }
}

extension ChangeKind {
    /// The place of the kind in a list of counts.
    fileprivate var order: Int {
        switch self {
        case .insert: 0
        case .update: 1
        case .remove: 2
        case .event: 3
        }
    }
}

/// Commits of a store, newest first: see ``Store/commits(before:limit:of:metadata:)``.
public struct CommitPage: Sendable, Hashable {
    /// The commits, newest first.
    public let commits: [CommitSummary]
    /// The sequence to pass as `before` for the next page; nil if there are no older commits.
    public let next: UInt64?
}
