import DaybookBytes
import DaybookEngine

/// A relation that reads its objects at the first use.
///
/// The conforming types are ``ToOne``, ``ToMany``, and the lists and linking objects of
/// DaybookRealm.
public protocol ObjectRelation {
    /// The type of the objects at the other end.
    associatedtype Target: Entity

    /// Reads the objects of many relations together.
    ///
    /// Reads the links of each relation, then each object once, in ascending order of ids, all from
    /// one version. Skips relations that are in memory. Relations to the same object share one
    /// instance if the target is a class.
    ///
    /// - Returns: The objects of all relations, each once.
    /// - Throws: The errors of ``Box/get(_:)``; `.invalidArgument` if the relations belong to
    ///   several stores or versions.
    @discardableResult
    static func load(_ relations: [Self]) throws -> [Target]

    /// Reads the objects of many relations together, without blocking the thread. See
    /// ``ObjectRelation/load(_:)``.
    @discardableResult
    nonisolated(nonsending) static func load(_ relations: [Self]) async throws -> [Target]
}

/// A relation that ``RelationLoad`` can read together with others.
protocol LoadableRelation {
    associatedtype Target: Entity
    /// Keeps the links that were read in the relation. `objects` contains all objects of the load.
    typealias Keep = (_ links: [ListElement], _ objects: [Id: Target]) -> Void

    /// Whether the links are a list.
    static var isList: Bool { get }
    /// Returns the item to read and a closure that keeps the result; nil if the relation is in
    /// memory.
    func pendingLoad() -> (item: RelationLoad.Item, keep: Keep)?
    /// The objects in memory, with their ids.
    var loaded: [(id: Id, object: Target)] { get }
}

/// Relations that are read together.
struct RelationLoad: Sendable {
    struct Item: Sendable {
        var attachment: Attachment
        /// The id of the target. The outer value is nil if the link must be read. The inner value
        /// is nil if the relation has no target.
        var known: Id??
    }

    /// The links of each relation, and the rows of the objects in ascending order of ids.
    struct Read: Sendable {
        var links: [[ListElement]] = []
        var rows: [StoredRow] = []
    }

    private var items: [Item] = []
    private let isList: Bool

    /// Reads the relations, and returns their objects, each once.
    static func load<Relation: LoadableRelation>(
        _ relations: [Relation]
    ) throws -> [Relation.Target] {
        let pending = relations.compactMap { $0.pendingLoad() }
        let plan = RelationLoad(items: pending.map(\.item), isList: Relation.isList)
        try plan.keep(try plan.read(Relation.Target.self), pending.map(\.keep))
        return distinct(relations)
    }

    /// Reads the relations without blocking the thread, and returns their objects, each once.
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

    /// Returns the objects of the relations, each once. Keeps all objects without an id.
    private static func distinct<Relation: LoadableRelation>(
        _ relations: [Relation]
    ) -> [Relation.Target] {
        relations.flatMap(\.loaded).map { ($0.id, $0.object) }.distinct { $0 }
    }

    /// Returns the store and version of the relations; nil without relations. Throws
    /// `.invalidArgument` for relations of several stores or versions.
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

    /// Decodes the objects and passes them to the relations.
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
    /// Reads the targets of many relations together. See ``ObjectRelation/load(_:)``.
    @discardableResult
    public static func load(_ relations: [ToOne]) throws -> [Target] {
        try RelationLoad.load(relations)
    }

    /// Reads the targets of many relations together, without blocking the thread. See
    /// ``ObjectRelation/load(_:)``.
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
                    id.map { .object($0, held ?? objects[$0]) } ?? .id(nil), unread)
            }
        )
    }

    var loaded: [(id: Id, object: Target)] {
        known.map { [((try? resolveId()).flatMap { $0 } ?? 0, $0)] } ?? []
    }
}

extension ToMany: ObjectRelation, LoadableRelation {
    /// Reads the objects of many relations together. See ``ObjectRelation/load(_:)``.
    @discardableResult
    public static func load(_ relations: [ToMany]) throws -> [Target] {
        try RelationLoad.load(relations)
    }

    /// Reads the objects of many relations together, without blocking the thread. See
    /// ``ObjectRelation/load(_:)``.
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
    /// Returns the first value of each id. Keeps all values without an id (id 0).
    package func distinct<Key, Value>(_ id: (Key) -> Id) -> [Value]
    where Element == (Key, Value) {
        var seen: Set<Id> = []
        return filter { id($0.0) == 0 || seen.insert(id($0.0)).inserted }.map(\.1)
    }
}
