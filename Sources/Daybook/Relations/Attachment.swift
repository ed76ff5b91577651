import DaybookBytes
import DaybookEngine

/// Which links a relation object stands for: those of one object, by one property or backlink of
/// its entity, in one store. Nothing is looked up to make one.
struct Attachment: Sendable {
    let types: StoreTypes
    let owner: EntityBinding
    let place: RelationPlace
    let host: Id

    /// Nil for what is no stored object's, such as a row in a migration.
    init?(_ types: StoreTypes, _ place: RelationPlace, host: Id) {
        guard host != 0, let owner = types.owner else { return nil }
        self.types = types
        self.owner = owner
        self.place = place
        self.host = host
    }

    /// Whether both stand for the same links of the same store, in whichever version.
    func isSame(as other: Attachment) -> Bool {
        guard host == other.host, place == other.place else { return false }
        return owner === other.owner
            || owner.entity == other.owner.entity && isSameStore(as: other)
    }

    /// Whether both are of one store. It may have been closed and opened again between them; one
    /// that is open twice is two, for the reader may be behind.
    func isSameStore(as other: Attachment) -> Bool { isSameStore(as: other.types.engine) }

    func isSameStore(as other: Engine) -> Bool {
        let own = types.engine
        if own === other { return true }
        return own.log.store == other.log.store && !(own.isOpen && other.isOpen)
    }

    /// Whether it is of the newest state, so that it can be changed.
    var isCurrent: Bool { types.view == nil }

    /// The links; nil in a read-only store that has no such relation yet.
    ///
    /// Throws `.schemaMismatch` where the relation does not lead to `target`.
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

    /// How many objects, or elements of a list, there are at the other end.
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

    /// The id at the other end of a relation to one object, and its row, where there is one.
    ///
    /// - Parameter known: the id, where it is known already.
    func targetRow(
        of target: any Entity.Type, _ known: Id??
    ) throws -> (id: Id?, rows: [StoredRow]) {
        let entity = try types.binding(of: target).entity
        return try types.read {
            let id = try known ?? ids(of: target, limit: 1).first
            return (id, try types.scope().rows(entity, [id].compactMap { $0 }))
        }
    }

    /// The elements of a list, in order.
    func list(of target: any Entity.Type) throws -> [ListElement] {
        guard let end = try end(to: target) else { return [] }
        return try types.scope().list(end.relation, end.id)
    }

    /// The elements of a list, and the rows of its objects, each once, all of one version.
    func listRows(
        of target: any Entity.Type
    ) throws -> (list: [ListElement], rows: [StoredRow]) {
        let entity = try types.binding(of: target).entity
        return try types.read {
            let list = try list(of: target)
            return (list, try types.scope().rows(entity, Set(list.map(\.target)).sorted()))
        }
    }

    /// The elements of a list with their objects: one that stands several times is the same.
    func elements<Target: Entity>(
        _ list: [ListElement], _ rows: [StoredRow], as type: Target.Type
    ) throws -> [(ListElement, Target)] {
        let objects = try Dictionary(
            zip(rows.map(\.id), decode(rows, as: type)), uniquingKeysWith: { first, _ in first })
        return list.compactMap { element in objects[element.target].map { (element, $0) } }
    }

    /// Makes objects of rows of the other end.
    func decode<Target: Entity>(
        _ rows: [StoredRow], as type: Target.Type = Target.self
    ) throws -> [Target] {
        let binding = try types.binding(of: type)
        let types = types.owned(by: binding)
        return try rows.map { try binding.decode($0, as: type, types) }
    }

    /// Throws `.readOnly`-like errors for what cannot be changed: a version of the past.
    func requireCurrent() throws(DaybookError) {
        if isCurrent { return }
        throw DaybookError(
            .readOnly,
            "The object was read from a version of '\(owner.name)' that is past. Get it from a box"
                + " of the store to change its relations.",
            details: ["entity": owner.name])
    }
}
