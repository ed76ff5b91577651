import DaybookRecords

/// The kind of an event.
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
        case .schema, .commit, .compacted, .erased: return nil
        }
    }
}

/// A filter for events and their transactions.
package struct EventFilter: Sendable {
    /// Limits events to objects of this entity, and to the links from and to them.
    package var entity: String?
    /// Limits events to the object with this id, and to the links from and to it.
    package var id: UInt64?
    package var kinds: Set<EventKind>
    /// Limits transactions to those whose metadata contain all of these entries.
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

    /// Whether the filter accepts a transaction with this metadata.
    func accepts(_ noted: [String: String]) -> Bool {
        metadata.allSatisfy { noted[$0.key] == $0.value }
    }
}

/// A filter with the numeric identifiers of the log.
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

    /// Whether a link has an accepted object at one end. Accepts links of a relation that the log
    /// does not define; decoding them is an error.
    private func touches(_ record: Record) -> Bool {
        guard let relation = schemas.relation(record.relation) else { return true }
        return isWanted(relation.entityID, record.source)
            || isWanted(relation.targetEntityID, record.target)
    }

    private func isWanted(_ entity: UInt32, _ id: UInt64) -> Bool {
        (self.entity ?? entity) == entity && (self.id ?? id) == id
    }
}
