import DaybookRecords

/// What an event does.
package enum EventKind: String, Sendable, CaseIterable {
    case put, remove, event, link, unlink

    init?(_ kind: Record.Kind) {
        switch kind {
        case .put: self = .put
        case .remove: self = .remove
        case .event: self = .event
        case .link: self = .link
        case .unlink: self = .unlink
        case .listInsert: self = .link
        case .listRemove: self = .unlink
        case .schema, .commit, .compacted: return nil
        }
    }
}

/// Which events are wanted.
package struct EventFilter: Sendable {
    /// Only objects of this entity, and the links that lead from them or to them.
    package var entity: String?
    /// Only the object with this id, and the links that lead from it or to it.
    package var id: UInt64?
    package var kinds: Set<EventKind>
    /// Only transactions that were noted with all of these.
    package var metadata: [String: String]

    package init(
        entity: String? = nil, id: UInt64? = nil, kinds: Set<EventKind> = Set(EventKind.allCases),
        metadata: [String: String] = [:]
    ) {
        self.entity = entity
        self.id = id
        self.kinds = kinds
        self.metadata = metadata
    }

    /// Whether a transaction with these notes is wanted.
    func accepts(_ noted: [String: String]) -> Bool {
        metadata.allSatisfy { noted[$0.key] == $0.value }
    }
}

/// A filter with the numbers that the log uses.
struct RecordFilter {
    let entity: UInt32?
    let id: UInt64?
    let kinds: Set<EventKind>
    let schemas: SchemaTable

    func accepts(_ record: Record) -> Bool {
        guard let kind = EventKind(record.kind), kinds.contains(kind) else { return false }
        guard entity != nil || id != nil else { return true }
        guard kind != .link, kind != .unlink else { return touches(record) }
        return (entity ?? record.entity) == record.entity && (id ?? record.id) == record.id
    }

    /// Whether a link leads from a wanted object, or to one. What a relation is that the log does
    /// not define nobody knows, so its links are given to whoever asks: there it is an error.
    private func touches(_ record: Record) -> Bool {
        guard let relation = schemas.relation(record.relation) else { return true }
        return isWanted(relation.entityID, record.source)
            || isWanted(relation.targetEntityID, record.target)
    }

    private func isWanted(_ entity: UInt32, _ id: UInt64) -> Bool {
        (self.entity ?? entity) == entity && (self.id ?? id) == id
    }
}
