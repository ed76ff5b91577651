import DaybookBytes
import DaybookEngine

/// A relation that reads its objects at the first use: ``ToOne``, ``ToMany``, and the lists and
/// linking objects of DaybookRealm.
public protocol ObjectRelation {
    /// The type of the objects at the other end.
    associatedtype Target: Entity

    /// Reads the objects of many relations in one pass: the links of each, then each object once,
    /// in the order of ids, all from one version. Relations that are in memory already are left
    /// alone. Two relations to the same object then have the same one, where it is of a class.
    ///
    /// Returns the objects, each once. Throws as ``Box/get(_:)-(Id)`` does.
    @discardableResult
    static func load(_ relations: [Self]) throws -> [Target]

    /// `load` without blocking.
    @discardableResult
    nonisolated(nonsending) static func load(_ relations: [Self]) async throws -> [Target]
}

/// What many relations have to be read, and where.
struct RelationLoad: Sendable {
    struct Item: Sendable {
        var attachment: Attachment
        /// The id, where a relation to one object knows it; nil within where it leads nowhere.
        var known: Id??
    }

    /// The links of each relation, and the objects' rows in the order of ids.
    struct Read: Sendable {
        var links: [[ListElement]] = []
        var rows: [StoredRow] = []
    }

    var items: [Item] = []

    /// Where all of them are read; nil where there is none. Throws `.invalidArgument` for relations
    /// of several stores, or several versions.
    func types() throws(DaybookError) -> StoreTypes? {
        guard let first = items.first?.attachment.types else { return nil }
        for item in items {
            let types = item.attachment.types
            guard types.engine === first.engine, types.view === first.view else {
                throw DaybookError(
                    .invalidArgument,
                    "Relations of several stores or versions were to be read at once. Read those of"
                        + " each by themselves.")
            }
        }
        return first
    }

    func read(_ target: any Entity.Type, isList: Bool) throws -> Read {
        guard let types = try types() else { return Read() }
        let entity = try types.binding(of: target).entity
        return try types.read {
            var read = Read()
            var ids: Set<Id> = []
            for item in items {
                let links = try links(of: item, target, isList: isList)
                ids.formUnion(links.map(\.target))
                read.links.append(links)
            }
            read.rows = try types.scope().rows(entity, ids.sorted())
            return read
        }
    }

    private func links(
        of item: Item, _ target: any Entity.Type, isList: Bool
    ) throws -> [ListElement] {
        if isList { return try item.attachment.list(of: target) }
        let ids = try item.known.map { [$0].compactMap { $0 } } ?? item.attachment.ids(of: target)
        return ids.map { ListElement(position: [], target: $0) }
    }

    /// The objects that were read, by their ids.
    func objects<Target: Entity>(
        _ read: Read, as type: Target.Type
    ) throws -> [Id: Target] {
        guard let attachment = items.first?.attachment else { return [:] }
        return try Dictionary(
            zip(read.rows.map(\.id), attachment.decode(read.rows, as: type)),
            uniquingKeysWith: { first, _ in first })
    }
}

extension ToOne: ObjectRelation {
    /// Reads the targets of many relations in one pass. See ``ObjectRelation/load(_:)-([Self])``.
    @discardableResult
    public static func load(_ relations: [ToOne]) throws -> [Target] {
        let (plan, unread) = plan(relations)
        let read = try plan.read(Target.self, isList: false)
        return try keep(read, plan, unread, relations)
    }

    /// `load` without blocking.
    @discardableResult
    public nonisolated(nonsending) static func load(
        _ relations: [ToOne]
    ) async throws -> [Target] {
        let (plan, unread) = plan(relations)
        var read = RelationLoad.Read()
        if let types = try plan.types() {
            read = try await types.engine.readElsewhere {
                try plan.read(Target.self, isList: false)
            }
        }
        return try keep(read, plan, unread, relations)
    }

    private static func plan(_ relations: [ToOne]) -> (RelationLoad, [(ToOne, Int)]) {
        var plan = RelationLoad()
        var unread: [(ToOne, Int)] = []
        for relation in relations {
            guard let (attachment, generation) = relation.unread() else { continue }
            plan.items.append(.init(attachment: attachment, known: relation.knownId))
            unread.append((relation, generation))
        }
        return (plan, unread)
    }

    private static func keep(
        _ read: RelationLoad.Read, _ plan: RelationLoad, _ unread: [(ToOne, Int)],
        _ relations: [ToOne]
    ) throws -> [Target] {
        let objects = try plan.objects(read, as: Target.self)
        for ((relation, generation), links) in zip(unread, read.links) {
            let id = links.first?.target
            relation.keep(id.map { .object($0, objects[$0]) } ?? .id(nil), generation)
        }
        return relations.compactMap { relation in relation.known.map { (relation, $0) } }
            .distinct { $0.resolvedId }
    }

    fileprivate var resolvedId: Id { (try? resolveId()).flatMap { $0 } ?? 0 }
}

extension ToMany: ObjectRelation {
    /// Reads the objects of many relations in one pass. See
    /// ``ObjectRelation/load(_:)-([Self])``.
    @discardableResult
    public static func load(_ relations: [ToMany]) throws -> [Target] {
        let (plan, unread) = plan(relations)
        let read = try plan.read(Target.self, isList: false)
        return try keep(read, plan, unread, relations)
    }

    /// `load` without blocking.
    @discardableResult
    public nonisolated(nonsending) static func load(
        _ relations: [ToMany]
    ) async throws -> [Target] {
        let (plan, unread) = plan(relations)
        var read = RelationLoad.Read()
        if let types = try plan.types() {
            read = try await types.engine.readElsewhere {
                try plan.read(Target.self, isList: false)
            }
        }
        return try keep(read, plan, unread, relations)
    }

    private static func plan(_ relations: [ToMany]) -> (RelationLoad, [(ToMany, Int)]) {
        var plan = RelationLoad()
        var unread: [(ToMany, Int)] = []
        for relation in relations {
            guard let (attachment, generation) = relation.unread() else { continue }
            plan.items.append(.init(attachment: attachment, known: nil))
            unread.append((relation, generation))
        }
        return (plan, unread)
    }

    private static func keep(
        _ read: RelationLoad.Read, _ plan: RelationLoad, _ unread: [(ToMany, Int)],
        _ relations: [ToMany]
    ) throws -> [Target] {
        let objects = try plan.objects(read, as: Target.self)
        for ((relation, generation), links) in zip(unread, read.links) {
            let ids = links.map(\.target).filter { objects[$0] != nil }
            relation.keep(ids, ids.compactMap { objects[$0] }, generation)
        }
        let members = relations.flatMap { relation in relation.lock { relation.list.members } }
        return members.map { ($0, $0.object) }.distinct { $0.storedId }
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
