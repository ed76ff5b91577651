import DaybookBytes
import DaybookEngine

/// A relation from a `Sendable` struct to any number of other objects. It is a value that stores
/// the ids of the targets.
///
/// It is a collection that contains each id once: the stored ids in ascending order, followed by
/// the ids that were added. Reading the struct also reads the ids, which costs one lookup and a few
/// nanoseconds per id. For relations with very many objects, use ``ToMany``.
///
/// A put of the struct writes only the changes since the struct was read or put, so links that
/// other code added in the meantime stay.
public struct References<Target: Entity>: Sendable, ExpressibleByNilLiteral {
    /// The ids of the targets: the stored ids in ascending order, then the added ids.
    public private(set) var ids: [EntityId<Target>] = []
    /// Whether the ids replace all stored links, because they were set and not read.
    private var isWhole = false
    /// The links that the ids were read from or last written to.
    private var origin: Attachment?
    /// The ids at the time of that read or write.
    private var known: [EntityId<Target>] = []
    private var mark = SavedFlag()

    /// Makes a relation without targets. A put of it removes no links.
    public init(nilLiteral: ()) {}

    /// Makes a relation to exactly these stored objects.
    ///
    /// A put of the struct throws `.cannotRelateToUnsaved` if one of the objects is not stored.
    public init(_ objects: some Sequence<Target>) {
        self.init(ids: objects.map { EntityId($0.entityId) })
    }

    /// Makes a relation to exactly the objects with these ids. Repeated ids are ignored. Cost:
    /// quadratic in the number of ids.
    ///
    /// A put of the struct throws `.cannotRelateToUnsaved` if an id is 0, and `.notFound` if no
    /// object has an id.
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

    /// Prepares a change; every mutation must call it first. Copies of the value share the flag, so
    /// a changed value needs a new flag.
    private mutating func willChange() {
        if let attachment = mark.attachment { (origin, known) = (attachment, ids) }
        mark = SavedFlag()
    }

    /// Adds the object with an id. Returns `false`, without a change, if the relation already
    /// contains the id. Cost: linear in the number of ids.
    @discardableResult
    public mutating func insert(_ id: EntityId<Target>) -> Bool {
        if ids.contains(id) { return false }
        willChange()
        ids.append(id)
        return true
    }

    /// Removes the object with an id from the relation, not from the store. Returns `false`,
    /// without a change, if the relation does not contain the id. Cost: linear in the number of
    /// ids.
    @discardableResult
    public mutating func remove(_ id: EntityId<Target>) -> Bool {
        guard let index = ids.firstIndex(of: id) else { return false }
        willChange()
        ids.remove(at: index)
        return true
    }

    /// Removes all objects from the relation, not from the store.
    public mutating func removeAll() {
        willChange()
        if origin == nil { isWhole = true }
        ids = []
    }

    /// Returns the targets in the order of ``ids``, without objects that were removed.
    ///
    /// Throws the errors of ``Box/get(_:)``. Cost: one tree lookup per id.
    public func resolve(in box: Box<Target>) throws -> [Target] { try box.get(ids.map(\.value)) }

    /// Returns the targets in the version of a view, in the order of ``ids``, without objects that
    /// the version does not have.
    ///
    /// Throws the errors of ``ViewBox/get(_:)``. Cost: one tree lookup per id.
    public func resolve(in view: StoreView) throws -> [Target] {
        try view.box().get(ids.map(\.value))
    }

    /// Returns the targets without blocking the thread, like the synchronous `resolve(in:)`.
    public nonisolated(nonsending) func resolve(in box: Box<Target>) async throws -> [Target] {
        try await box.get(ids.map(\.value))
    }

    /// Returns the targets in the version of a view without blocking the thread, like the
    /// synchronous `resolve(in:)`.
    public nonisolated(nonsending) func resolve(in view: StoreView) async throws -> [Target] {
        try await view.box().get(ids.map(\.value))
    }
}

extension References: RandomAccessCollection {
    /// The position of the first id: 0.
    public var startIndex: Int { 0 }
    /// The position after the last id: the number of ids.
    public var endIndex: Int { ids.count }
    /// The id at a position. A position outside the collection traps, as with an array.
    public subscript(position: Int) -> EntityId<Target> { ids[position] }
}

extension References: ExpressibleByArrayLiteral {
    /// Makes a relation to exactly the objects with these ids, like ``init(ids:)``.
    public init(arrayLiteral ids: EntityId<Target>...) { self.init(ids: ids) }
}

extension References: Hashable {
    /// Whether both relations contain the same ids, in any order.
    public static func == (one: References, other: References) -> Bool {
        Set(one.ids) == Set(other.ids)
    }

    /// Hashes the ids, independently of their order.
    public func hash(into hasher: inout Hasher) { hasher.combine(Set(ids)) }
}

/// The relation is stored as links beside the row of its object.
extension References: PropertyValue {
    /// The property type of a to-many relation, the same as that of ``ToMany``.
    public static var propertyType: PropertyType { .toMany(Target.self) }
    /// `true`, because the row contains no data of the relation.
    public static var isOptionalProperty: Bool { true }
    /// Throws `.schemaMismatch`, because a collection cannot contain a relation.
    public static func read(_ value: borrowing ValueReader) throws -> References {
        throw DaybookError.misplacedRelation
    }
    /// Throws `.schemaMismatch`, because a collection cannot contain a relation.
    public func write(to value: inout ValueWriter) throws { throw DaybookError.misplacedRelation }
    /// Reads the relation of the row's object from its links. Cost: one lookup, and a few
    /// nanoseconds per id.
    public static func read(_ index: Int, of row: borrowing RowReader) throws -> References {
        try References(row.links(index, .toMany))
    }
    /// Adds the relation to the put, which writes the links. The row contains no data of it.
    public func write(to row: inout RowWriter, at index: Int) throws {
        try row.add(self, at: index, .toMany)
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
