import DaybookIndex

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
    /// Only objects of this entity; links belong to relations and drop out then.
    package var entity: String?
    /// Only the object with this id.
    package var id: UInt64?
    package var kinds: Set<EventKind>

    package init(
        entity: String? = nil, id: UInt64? = nil, kinds: Set<EventKind> = Set(EventKind.allCases)
    ) {
        self.entity = entity
        self.id = id
        self.kinds = kinds
    }
}

/// A filter with the numbers that the log uses.
struct RecordFilter {
    let entity: UInt32?
    let id: UInt64?
    let kinds: Set<EventKind>

    func accepts(_ record: Record) -> Bool {
        guard let kind = EventKind(record.kind), kinds.contains(kind) else { return false }
        guard entity != nil || id != nil else { return true }
        guard kind != .link, kind != .unlink else { return false }
        return (entity ?? record.entity) == record.entity && (id ?? record.id) == record.id
    }
}
