import DaybookBytes
import DaybookEngine

/// A relation from a `Sendable` struct to at most one other object. It is a value that stores the
/// id of the target.
///
/// ```swift
/// @Entity struct Invoice: Sendable {
///     var id: Id = 0
///     var customer: Reference<Customer> = nil
/// }
///
/// let customer = try invoice.customer.resolve(in: store.box())
/// ```
///
/// A reference contains only the id, not the object. Reading the struct also reads the id, which
/// costs one lookup per reference. A put of the struct writes the link if ``targetId`` was set
/// since the struct was read or put.
public struct Reference<Target: Entity>: Sendable, ExpressibleByNilLiteral {
    /// The id of the target; nil if there is no target.
    ///
    /// A put of the struct throws `.cannotRelateToUnsaved` if the id is 0, and `.notFound` if no
    /// object has the id.
    public var targetId: EntityId<Target>? {
        didSet { mark = SavedFlag() }
    }
    /// The links that the reference was read from; nil if it was not read from a store.
    private let origin: Attachment?
    private var mark: SavedFlag

    /// Makes a reference to a stored object, or a reference without a target if `target` is nil.
    ///
    /// A put of the struct throws `.cannotRelateToUnsaved` if the object is not stored.
    public init(_ target: Target?) { self.init(targetId: target.map { EntityId($0.entityId) }) }

    /// Makes a reference to the object with an id, or a reference without a target if the id is
    /// nil.
    public init(targetId: EntityId<Target>?) { self.init(targetId, nil) }

    /// Makes a reference without a target.
    public init(nilLiteral: ()) { self.init(nil, nil) }

    private init(_ targetId: EntityId<Target>?, _ origin: Attachment?) {
        self.targetId = targetId
        self.origin = origin
        mark = SavedFlag(origin)
    }

    fileprivate init(_ attachment: Attachment?) throws {
        let id = try attachment?.ids(of: Target.self, limit: 1).first
        self.init(id.map { EntityId($0) }, attachment)
    }

    /// Whether there is a target. Does not check that the store still has the object.
    public var hasValue: Bool { targetId != nil }

    /// Returns the target; nil if there is no target or the object was removed.
    ///
    /// Throws the errors of ``Box/get(_:)``. Cost: one tree lookup.
    public func resolve(in box: Box<Target>) throws -> Target? {
        try targetId.flatMap { try box.get($0.value) }
    }

    /// Returns the target in the version of a view; nil if there is no target or the version does
    /// not have the object.
    ///
    /// Throws the errors of ``ViewBox/get(_:)``. Cost: one tree lookup.
    public func resolve(in view: StoreView) throws -> Target? {
        try targetId.flatMap { try view.box().get($0.value) }
    }

    /// Returns the target without blocking the thread, like the synchronous `resolve(in:)`.
    public nonisolated(nonsending) func resolve(in box: Box<Target>) async throws -> Target? {
        guard let targetId else { return nil }
        return try await box.get(targetId.value)
    }

    /// Returns the target in the version of a view without blocking the thread, like the
    /// synchronous `resolve(in:)`.
    public nonisolated(nonsending) func resolve(in view: StoreView) async throws -> Target? {
        guard let targetId else { return nil }
        return try await view.box().get(targetId.value)
    }
}

extension Reference: Hashable {
    /// Whether both references have the same ``targetId``.
    public static func == (one: Reference, other: Reference) -> Bool {
        one.targetId == other.targetId
    }

    /// Hashes ``targetId``.
    public func hash(into hasher: inout Hasher) { hasher.combine(targetId) }
}

/// The reference is stored as a link beside the row of its object.
extension Reference: PropertyValue {
    /// The property type of a to-one relation, the same as that of ``ToOne``.
    public static var propertyType: PropertyType { .toOne(Target.self) }
    /// `true`, because a reference can have no target.
    public static var isOptionalProperty: Bool { true }
    /// Throws `.schemaMismatch`, because a collection cannot contain a relation.
    public static func read(_ value: borrowing ValueReader) throws -> Reference {
        throw DaybookError.misplacedRelation
    }
    /// Throws `.schemaMismatch`, because a collection cannot contain a relation.
    public func write(to value: inout ValueWriter) throws { throw DaybookError.misplacedRelation }
    /// Reads the reference of the row's object from its link. Cost: one lookup.
    public static func read(_ index: Int, of row: borrowing RowReader) throws -> Reference {
        try Reference(row.links(index, .toOne))
    }
    /// Adds the reference to the put, which writes the link. The row contains no data of it.
    public func write(to row: inout RowWriter, at index: Int) throws {
        try row.add(self, at: index, .toOne)
    }
}

extension Reference: RelationProperty {
    func note(in puts: inout GraphBuilder, of host: GraphHost) throws {
        try host.requireSameStore(origin)
        if host.isHost(of: mark.attachment) { return }
        if targetId == 0 { throw host.unsaved(Target.self) }
        if targetId != nil || !host.isNew {
            puts.note(.target(targetId.map { .id($0.value) }), of: host)
        }
        puts.whenPut { [mark] in mark.settle(host, $0) }
    }
}
