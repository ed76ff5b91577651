import DaybookBytes
import DaybookEngine

/// A relation that reads its objects at the first use: ``ToOne``, ``ToMany``, and the lists and
/// linking objects of DaybookRealm.
public protocol ObjectRelation {
    /// The type of the objects at the other end.
    associatedtype Target: Entity

    /// Reads the objects of many relations together: the links of each, then each object once, in
    /// the order of ids, all from one version. Skips relations that are in memory. Two relations to
    /// the same object share it if it is of a class.
    ///
    /// Returns the objects, each once. Throws as ``Box/get(_:)-(Id)`` does.
    @discardableResult
    static func load(_ relations: [Self]) throws -> [Target]

    /// `load` without blocking.
    @discardableResult
    nonisolated(nonsending) static func load(_ relations: [Self]) async throws -> [Target]
}

/// A relation that can be read together with others.
protocol LoadableRelation {
    associatedtype Target: Entity
    /// Keeps what was read: the elements at the other end, and all objects that were read.
    typealias Keep = (_ links: [ListElement], _ objects: [Id: Target]) -> Void

    /// Whether the links are a list.
    static var isList: Bool { get }
    /// Where to read the relation, and how to keep what was read; nil if it is in memory.
    func pendingLoad() -> (item: RelationLoad.Item, keep: Keep)?
    /// The objects in memory, with their ids.
    var loaded: [(id: Id, object: Target)] { get }
}

/// The relations that are read together.
struct RelationLoad: Sendable {
    struct Item: Sendable {
        var attachment: Attachment
        /// The id of the target, if the relation knows it; the inner value is nil if there is none.
        var known: Id??
    }

    /// The links of each relation, and the rows of the objects in the order of ids.
    struct Read: Sendable {
        var links: [[ListElement]] = []
        var rows: [StoredRow] = []
    }

    private var items: [Item] = []
    private let isList: Bool

    /// Reads relations. Returns their objects, each once.
    static func load<Relation: LoadableRelation>(
        _ relations: [Relation]
    ) throws -> [Relation.Target] {
        let pending = relations.compactMap { $0.pendingLoad() }
        let plan = RelationLoad(items: pending.map(\.item), isList: Relation.isList)
        try plan.keep(try plan.read(Relation.Target.self), pending.map(\.keep))
        return distinct(relations)
    }

    /// `load` without blocking.
    nonisolated(nonsending) static func load<Relation: LoadableRelation>(
        _ relations: [Relation]
    ) async throws -> [Relation.Target] {
        let pending = relations.compactMap { $0.pendingLoad() }
        let plan = RelationLoad(items: pending.map(\.item), isList: Relation.isList)
        if let types = try plan.types() {
            let read = try await types.engine.readElsewhere { try plan.read(Relation.Target.self) }
            try plan.keep(read, pending.map(\.keep))
        }
        return distinct(relations)
    }

    /// The objects of the relations, each once; all of those without an id.
    private static func distinct<Relation: LoadableRelation>(
        _ relations: [Relation]
    ) -> [Relation.Target] {
        relations.flatMap(\.loaded).map { ($0.id, $0.object) }.distinct { $0 }
    }

    /// Where all of them are read; nil if there is none. Throws `.invalidArgument` for relations of
    /// several stores, or of several versions.
    private func types() throws(DaybookError) -> StoreTypes? {
        guard let first = items.first?.attachment.types else { return nil }
        for item in items {
            let types = item.attachment.types
            guard types.engine === first.engine, types.view === first.view else {
                throw DaybookError(
                    .invalidArgument,
                    "The relations belong to several stores or versions. Load the relations of each"
                        + " store and version separately.")
            }
        }
        return first
    }

    private func read(_ target: any Entity.Type) throws -> Read {
        guard let types = try types() else { return Read() }
        let entity = try types.binding(of: target).entity
        return try types.read {
            var read = Read()
            var ids: Set<Id> = []
            for item in items {
                let links = try links(of: item, target)
                ids.formUnion(links.map(\.target))
                read.links.append(links)
            }
            read.rows = try types.scope().rows(entity, ids.sorted())
            return read
        }
    }

    private func links(of item: Item, _ target: any Entity.Type) throws -> [ListElement] {
        if isList { return try item.attachment.list(of: target) }
        let ids = try item.known.map { [$0].compactMap { $0 } } ?? item.attachment.ids(of: target)
        return ids.map { ListElement(position: [], target: $0) }
    }

    /// Decodes the objects, and passes them to the relations.
    private func keep<Target: Entity>(
        _ read: Read, _ keep: [(_ links: [ListElement], _ objects: [Id: Target]) -> Void]
    ) throws {
        guard let attachment = items.first?.attachment else { return }
        let objects: [Id: Target] = try Dictionary(
            zip(read.rows.map(\.id), attachment.decode(read.rows)),
            uniquingKeysWith: { first, _ in first })
        for (keep, links) in zip(keep, read.links) { keep(links, objects) }
    }
}

extension ToOne: ObjectRelation, LoadableRelation {
    /// Reads the targets of many relations together. See ``ObjectRelation/load(_:)-([Self])``.
    @discardableResult
    public static func load(_ relations: [ToOne]) throws -> [Target] {
        try RelationLoad.load(relations)
    }

    /// `load` without blocking.
    @discardableResult
    public nonisolated(nonsending) static func load(
        _ relations: [ToOne]
    ) async throws -> [Target] {
        try await RelationLoad.load(relations)
    }

    static var isList: Bool { false }

    func pendingLoad() -> (item: RelationLoad.Item, keep: Keep)? {
        guard let unread = unread() else { return nil }
        return (
            .init(attachment: unread.attachment, known: unread.id),
            { links, objects in
                let id = links.first?.target
                let held = unread.held.flatMap { $0.id == id ? $0.object : nil }
                self.keep(
                    id.map { .object($0, held ?? objects[$0]) } ?? .id(nil), unread.stamp)
            }
        )
    }

    var loaded: [(id: Id, object: Target)] {
        known.map { [((try? resolveId()).flatMap { $0 } ?? 0, $0)] } ?? []
    }
}

extension ToMany: ObjectRelation, LoadableRelation {
    /// Reads the objects of many relations together. See ``ObjectRelation/load(_:)-([Self])``.
    @discardableResult
    public static func load(_ relations: [ToMany]) throws -> [Target] {
        try RelationLoad.load(relations)
    }

    /// `load` without blocking.
    @discardableResult
    public nonisolated(nonsending) static func load(
        _ relations: [ToMany]
    ) async throws -> [Target] {
        try await RelationLoad.load(relations)
    }

    static var isList: Bool { false }

    func pendingLoad() -> (item: RelationLoad.Item, keep: Keep)? {
        guard let (attachment, stamp) = unread() else { return nil }
        return (
            .init(attachment: attachment, known: nil),
            { links, objects in
                let ids = links.map(\.target).filter { objects[$0] != nil }
                self.keep(ids, ids, ids.compactMap { objects[$0] }, stamp)
            }
        )
    }

    var loaded: [(id: Id, object: Target)] {
        lock { list.members }.map { ($0.storedId, $0.object) }
    }
}

extension Array {
    /// The values without repeated ids. Values without an id are all kept.
    package func distinct<Key, Value>(_ id: (Key) -> Id) -> [Value]
    where Element == (Key, Value) {
        var seen: Set<Id> = []
        return filter { id($0.0) == 0 || seen.insert(id($0.0)).inserted }.map(\.1)
    }
}
