import DaybookBytes
import DaybookEngine

/// Identifies the links of a relation object: those of one object, by one property or backlink of
/// its entity, in one store. Creating one reads nothing.
struct Attachment: Sendable {
    let types: StoreTypes
    let owner: EntityBinding
    let place: RelationPlace
    let host: Id

    /// Nil if there is no stored object, such as for a row in a migration.
    init?(_ types: StoreTypes, _ place: RelationPlace, host: Id) {
        guard host != 0, let owner = types.owner else { return nil }
        self.types = types
        self.owner = owner
        self.place = place
        self.host = host
    }

    /// Whether both identify the same links of the same store, in any version.
    func isSame(as other: Attachment) -> Bool {
        guard host == other.host, place == other.place else { return false }
        return owner === other.owner
            || owner.entity == other.owner.entity && isSameStore(as: other)
    }

    /// Whether both belong to one store, which may have been closed and opened again. A store that
    /// is open twice counts as two, because the reader may have an older version.
    func isSameStore(as other: Attachment) -> Bool { isSameStore(as: other.types.engine) }

    func isSameStore(as other: Engine) -> Bool {
        let own = types.engine
        if own === other { return true }
        return own.log.store == other.log.store && !(own.isOpen && other.isOpen)
    }

    /// Whether it belongs to the newest version, so that the links can be changed.
    var isCurrent: Bool { types.view == nil }

    /// The links; nil in a read-only store that does not have the relation yet.
    ///
    /// Throws `.schemaMismatch` if the relation does not lead to `target`.
    func end(to target: any Entity.Type) throws(DaybookError) -> LinkEnd? {
        try owner.relation(at: place, to: target).end(of: host)
    }

    /// The ids at the other end, ascending.
    func ids(
        of target: any Entity.Type, after id: Id = 0, limit: Int = .max
    ) throws -> [Id] {
        guard let end = try end(to: target) else { return [] }
        return try types.scope().links(of: end, after: id, limit: limit)
    }

    /// The number of objects, or elements of a list, at the other end.
    func count(of target: any Entity.Type) throws -> Int {
        guard let end = try end(to: target) else { return 0 }
        return try types.scope().linkCount(of: end)
    }

    /// The objects at the other end as rows, all of one version, in the order of ids.
    func rows(
        of target: any Entity.Type, after id: Id = 0, limit: Int = .max
    ) throws -> [StoredRow] {
        let entity = try types.binding(of: target).entity
        return try types.read {
            try types.scope().rows(entity, try ids(of: target, after: id, limit: limit))
        }
    }

    /// The ids of the objects at the other end, ascending, and the rows of those that are not in
    /// `held`, all of one version.
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

    /// The id at the other end of a relation to one object, and the row of the object if it exists.
    ///
    /// - Parameters:
    ///   - known: the id, if it is known. Otherwise the link is read.
    ///   - held: the id of an object whose row is not needed.
    func targetRow(
        of target: any Entity.Type, _ known: Id??, held: Id? = nil
    ) throws -> (id: Id?, rows: [StoredRow]) {
        let entity = try types.binding(of: target).entity
        return try types.read {
            guard let id = try known ?? ids(of: target, limit: 1).first else { return (nil, []) }
            return (id, id == held ? [] : try types.scope().rows(entity, [id]))
        }
    }

    /// The elements of a list, in order.
    func list(of target: any Entity.Type) throws -> [ListElement] {
        guard let end = try end(to: target) else { return [] }
        return try types.scope().list(end.relation, end.id)
    }

    /// The elements of a list, and the rows of their objects, each once, all of one version.
    func listRows(
        of target: any Entity.Type
    ) throws -> (list: [ListElement], rows: [StoredRow]) {
        let entity = try types.binding(of: target).entity
        return try types.read {
            let list = try list(of: target)
            return (list, try types.scope().rows(entity, Set(list.map(\.target)).sorted()))
        }
    }

    /// The elements of a list with their objects. Elements with the same id share one object.
    func elements<Target: Entity>(
        _ list: [ListElement], _ rows: [StoredRow], as type: Target.Type
    ) throws -> [(ListElement, Target)] {
        let objects = try Dictionary(
            zip(rows.map(\.id), decode(rows, as: type)), uniquingKeysWith: { first, _ in first })
        return list.compactMap { element in objects[element.target].map { (element, $0) } }
    }

    /// Decodes rows of the other end.
    func decode<Target: Entity>(
        _ rows: [StoredRow], as type: Target.Type = Target.self
    ) throws -> [Target] {
        let binding = try types.binding(of: type)
        let types = types.owned(by: binding)
        return try rows.map { try binding.decode($0, as: type, types) }
    }

    /// Throws `.readOnly` for links of a past version.
    func requireCurrent() throws(DaybookError) {
        if isCurrent { return }
        throw DaybookError(
            .readOnly,
            "The object was read from a past version of '\(owner.name)'. Get it from a box of the"
                + " store to change its relations.",
            details: ["entity": owner.name])
    }
}
