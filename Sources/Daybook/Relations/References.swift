import DaybookBytes
import DaybookEngine

/// A relation to any number of other objects, as a value: for structs that are `Sendable`.
///
/// It is a collection of ids, each once and ascending as the store has them, behind them what was
/// added. They are read with the struct: one look-up, and a few nanoseconds an id; prefer
/// ``ToMany`` where there may be very many. A put of the struct writes what was changed since it
/// was read or put, so what others have added meanwhile stays.
public struct References<Target: Entity>: Sendable, ExpressibleByNilLiteral {
    /// The ids of the objects.
    public private(set) var ids: [EntityId<Target>] = []
    /// Whether the ids were given, and not read.
    private var isWhole = false
    /// Where they were read, or last put.
    private var origin: Attachment?
    /// The ids that there were then.
    private var known: [EntityId<Target>] = []
    private var mark = SavedFlag()

    /// Leads nowhere, and removes nothing when it is put.
    public init(nilLiteral: ()) {}

    /// Leads to exactly these stored objects.
    public init(_ objects: some Sequence<Target>) {
        self.init(ids: objects.map { EntityId($0.entityId) })
    }

    /// Leads to exactly the objects under these ids.
    public init(ids: some Sequence<EntityId<Target>>) {
        isWhole = true
        for id in ids where !self.ids.contains(id) { self.ids.append(id) }
    }

    fileprivate init(_ attachment: Attachment?) throws {
        guard let attachment else { return }
        ids = try attachment.ids(of: Target.self).map { EntityId($0) }
        known = ids
        origin = attachment
        mark = SavedFlag(attachment)
    }

    /// To be called before each change. Copies share the mark, so each change has one of its own.
    private mutating func willChange() {
        if let attachment = mark.attachment { (origin, known) = (attachment, ids) }
        mark = SavedFlag()
    }

    /// Adds the object under an id; returns false if it is there already. Cost: a look at each id.
    @discardableResult
    public mutating func insert(_ id: EntityId<Target>) -> Bool {
        if ids.contains(id) { return false }
        willChange()
        ids.append(id)
        return true
    }

    /// Takes the object under an id out; returns false if it is not there. It stays in the store.
    @discardableResult
    public mutating func remove(_ id: EntityId<Target>) -> Bool {
        guard let index = ids.firstIndex(of: id) else { return false }
        willChange()
        ids.remove(at: index)
        return true
    }

    /// Takes all out. They stay in the store.
    public mutating func removeAll() {
        willChange()
        if origin == nil { isWhole = true }
        ids = []
    }

    /// The objects, without those that are removed. Throws as ``Box/get(_:)-(Id)`` does.
    public func resolve(in box: Box<Target>) throws -> [Target] { try box.get(ids.map(\.value)) }

    /// The objects in a version. Throws as ``ViewBox/get(_:)-(Id)`` does.
    public func resolve(in view: StoreView) throws -> [Target] {
        try view.box().get(ids.map(\.value))
    }

    /// `resolve` without blocking.
    public nonisolated(nonsending) func resolve(in box: Box<Target>) async throws -> [Target] {
        try await box.get(ids.map(\.value))
    }

    /// `resolve` in a version, without blocking.
    public nonisolated(nonsending) func resolve(in view: StoreView) async throws -> [Target] {
        try await view.box().get(ids.map(\.value))
    }
}

extension References: RandomAccessCollection {
    /// The position of the first id: 0.
    public var startIndex: Int { 0 }
    /// The position behind the last id.
    public var endIndex: Int { ids.count }
    /// The id at a position. As with an array, one outside is a programming error that traps.
    public subscript(position: Int) -> EntityId<Target> { ids[position] }
}

extension References: ExpressibleByArrayLiteral {
    /// Leads to exactly the objects under these ids.
    public init(arrayLiteral ids: EntityId<Target>...) { self.init(ids: ids) }
}

extension References: Hashable {
    /// Whether both lead to the same objects, in whichever order.
    public static func == (one: References, other: References) -> Bool {
        Set(one.ids) == Set(other.ids)
    }

    /// Takes the ids.
    public func hash(into hasher: inout Hasher) { hasher.combine(Set(ids)) }
}

/// Kept as links beside the host's row.
extension References: PropertyValue {
    /// As that of a ``ToMany``.
    public static var propertyType: PropertyType { .toMany(Target.self) }
    /// True: the row has nothing of it.
    public static var isOptionalProperty: Bool { true }
    /// Throws `.schemaMismatch`: no relation stands in a collection.
    public static func read(_ value: borrowing ValueReader) throws -> References {
        throw DaybookError.misplacedRelation
    }
    /// Throws `.schemaMismatch`: no relation stands in a collection.
    public func write(to value: inout ValueWriter) throws { throw DaybookError.misplacedRelation }
    /// Looks the links up.
    public static func read(_ index: Int, of row: borrowing RowReader) throws -> References {
        _ = try row.field(index, .toMany)
        return try References(Attachment(row.types, .field(index), host: row.id))
    }
    /// Writes nothing to the row: the links are the put's affair.
    public func write(to row: inout RowWriter, at index: Int) throws {
        try row.check(index, .toMany)
        row.relations.append(WrittenRelation(place: .field(index), relation: self))
    }
}

extension References: RelationProperty {
    func note(in puts: inout GraphBuilder, of host: GraphHost) throws {
        try host.requireSameStore(origin)
        if host.isHost(of: mark.attachment) { return }
        if ids.contains(0) { throw host.unsaved(Target.self) }
        let known = host.isHost(of: origin) ? Set(self.known) : nil
        let isWhole = (isWhole || origin != nil) && known == nil && !host.isNew
        let added = ids.filter { known?.contains($0) != true }
        let removed = (known ?? []).subtracting(ids).map(\.value).sorted()
        if !added.isEmpty || !removed.isEmpty || isWhole {
            puts.note(
                .members(added: added.map { .id($0.value) }, removed: removed, isWhole: isWhole),
                of: host)
        }
        puts.whenPut { [mark] in mark.settle(host, $0) }
    }
}
