import DaybookBytes
import DaybookEngine

/// Identifies the links of a relation object: the store, the object, and the property or backlink
/// of its entity. Creating an attachment reads nothing.
struct Attachment: Sendable {
    private(set) var types: StoreTypes
    let owner: EntityBinding
    let place: RelationPlace
    let host: Id
    /// The ids of the objects to which an event links. Its row contains them, and the store has no
    /// links of it. Nil for an object.
    let eventTargets: [Id]?

    /// Creates an attachment; nil without a stored object, such as for a row in a migration.
    init?(_ types: StoreTypes, _ place: RelationPlace, host: Id) {
        guard host != 0, let owner = types.owner else { return nil }
        self.types = types
        self.owner = owner
        self.place = place
        self.host = host
        eventTargets = nil
    }

    /// Creates the attachment of an event; nil for a row in a migration.
    init?(_ types: StoreTypes, _ place: RelationPlace, event: Id, targets: [Id]) {
        guard let owner = types.owner else { return nil }
        self.types = types
        self.owner = owner
        self.place = place
        host = event
        eventTargets = targets
    }

    /// Returns the attachment for reads in one version of the store.
    func reading(in view: ReadView) -> Attachment {
        var attachment = self
        attachment.types = types.reading(in: view)
        return attachment
    }

    /// Returns whether both identify the same links of the same store, in any version.
    func isSame(as other: Attachment) -> Bool {
        guard host == other.host, place == other.place else { return false }
        return owner === other.owner
            || owner.entity == other.owner.entity && isSameStore(as: other)
    }

    /// Returns whether both belong to one store. The store may have been closed and opened again. A
    /// store that is open twice counts as two, because the reader may have an older version.
    func isSameStore(as other: Attachment) -> Bool { isSameStore(as: other.types.engine) }

    func isSameStore(as other: Engine) -> Bool {
        let own = types.engine
        if own === other { return true }
        return own.log.store == other.log.store && !(own.isOpen && other.isOpen)
    }

    /// Whether the attachment reads the newest version of an object's links. Only then can the
    /// links be changed.
    var isCurrent: Bool { types.view == nil && eventTargets == nil }

    /// Returns the end of the links; nil in a read-only store that does not have the relation yet.
    ///
    /// Throws `.schemaMismatch` if the type of the relation is not `target`.
    func end(to target: any Entity.Type) throws(DaybookError) -> LinkEnd? {
        try owner.relation(at: place, to: target).end(of: host)
    }

    /// Returns ``eventTargets``. Throws `.schemaMismatch` if the relation is not one to `target`.
    private func eventTargets(as target: any Entity.Type) throws(DaybookError) -> [Id]? {
        guard eventTargets != nil else { return nil }
        _ = try owner.relation(at: place, to: target)
        return eventTargets
    }

    /// Returns up to `limit` ids at the other end that are greater than `id`, ascending.
    func ids(
        of target: any Entity.Type, after id: Id = 0, limit: Int = .max
    ) throws -> [Id] {
        if let targets = try eventTargets(as: target) {
            return Array(Set(targets).sorted().lazy.filter { $0 > id }.prefix(limit))
        }
        guard let end = try end(to: target) else { return [] }
        return try types.scope().links(of: end, after: id, limit: limit)
    }

    /// Returns the number of objects at the other end, each once.
    func count(of target: any Entity.Type) throws -> Int {
        if eventTargets != nil { return try ids(of: target).count }
        guard let end = try end(to: target) else { return 0 }
        return try types.scope().linkCount(of: end)
    }

    /// Returns the rows of up to `limit` objects at the other end whose ids are greater than `id`,
    /// in ascending order of ids, all from one version.
    func rows(
        of target: any Entity.Type, after id: Id = 0, limit: Int = .max
    ) throws -> [StoredRow] {
        let entity = try types.binding(of: target).entity
        return try types.read {
            try types.scope().rows(entity, try ids(of: target, after: id, limit: limit))
        }
    }

    /// Returns the ids of the objects at the other end, ascending, and the rows of the objects that
    /// are not in `held`, all from one version.
    func rows(
        of target: any Entity.Type, except held: Set<Id>
    ) throws -> (ids: [Id], rows: [StoredRow]) {
        let entity = try types.binding(of: target).entity
        return try types.read {
            let ids = try ids(of: target)
            let unread = held.isEmpty ? ids : ids.filter { !held.contains($0) }
            return (ids, try types.scope().rows(entity, unread))
        }
    }

    /// Returns the target id of a to-one relation, and the row of the target if it exists.
    ///
    /// - Parameters:
    ///   - known: The id, if the caller knows it; otherwise nil, and the link is read.
    ///   - held: The id of an object whose row the caller does not need.
    func targetRow(
        of target: any Entity.Type, _ known: Id??, held: Id? = nil
    ) throws -> (id: Id?, rows: [StoredRow]) {
        let entity = try types.binding(of: target).entity
        return try types.read {
            guard let id = try known ?? ids(of: target, limit: 1).first else { return (nil, []) }
            return (id, id == held ? [] : try types.scope().rows(entity, [id]))
        }
    }

    /// Returns the elements of a list, in order, or the links of a map in the order of their keys.
    func list(of target: any Entity.Type) throws -> [ListElement] {
        if let targets = try eventTargets(as: target) {
            return targets.map { ListElement(position: [], target: $0) }
        }
        guard let end = try end(to: target) else { return [] }
        let list = try types.scope().list(end.relation, end.id)
        if owner.relations[place]?.type == .keyedObjects {
            for element in list { _ = try element.key }
        }
        return list
    }

    /// Returns the elements of a list, and the rows of their objects, each once, all from one
    /// version.
    func listRows(
        of target: any Entity.Type
    ) throws -> (list: [ListElement], rows: [StoredRow]) {
        let entity = try types.binding(of: target).entity
        return try types.read {
            let list = try list(of: target)
            return (list, try types.scope().rows(entity, Set(list.map(\.target)).sorted()))
        }
    }

    /// Returns the elements of a list with their objects. Elements with the same id share one
    /// object. Skips elements without a row.
    func elements<Target: Entity>(
        _ list: [ListElement], _ rows: [StoredRow], as type: Target.Type
    ) throws -> [(ListElement, Target)] {
        let objects = try Dictionary(
            zip(rows.map(\.id), decode(rows, as: type)), uniquingKeysWith: { first, _ in first })
        return list.compactMap { element in objects[element.target].map { (element, $0) } }
    }

    /// Decodes rows of objects at the other end.
    func decode<Target: Entity>(
        _ rows: [StoredRow], as type: Target.Type = Target.self
    ) throws -> [Target] {
        let binding = try types.binding(of: type)
        let types = types.owned(by: binding)
        return try rows.map { try binding.decode($0, as: type, types) }
    }

    /// Throws `.readOnly` if the attachment reads a past version, or belongs to an event.
    func requireCurrent() throws(DaybookError) {
        if isCurrent { return }
        if eventTargets != nil {
            throw DaybookError(
                .readOnly,
                "'\(owner.name)' is an event, whose relations never change. Append another event.",
                details: ["entity": owner.name])
        }
        throw DaybookError(
            .readOnly,
            "The object was read from a past version of '\(owner.name)'. Get it from a box of the"
                + " store to change its relations.",
            details: ["entity": owner.name])
    }
}
