import DaybookBytes
import DaybookEngine

/// A relation to at most one other object, as a value: for structs that are `Sendable`.
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
/// It holds an id and no object, which is read with the struct: one look-up for each reference. A
/// put of the struct writes the link where the id was set since it was read or put.
public struct Reference<Target: Entity>: Sendable, ExpressibleByNilLiteral {
    /// The id of the object that it leads to; nil where it leads nowhere.
    ///
    /// To put the struct with an id of 0 is `.cannotRelateToUnsaved`, with an id that no object has
    /// `.notFound`.
    public var targetId: EntityId<Target>? {
        didSet { mark = SavedFlag() }
    }
    /// Where it was read.
    private let origin: Attachment?
    private var mark: SavedFlag

    /// Leads to an object that is stored; nowhere with nil.
    public init(_ target: Target?) { self.init(targetId: target.map { EntityId($0.entityId) }) }

    /// Leads to the object under an id; nowhere with nil.
    public init(targetId: EntityId<Target>?) { self.init(targetId, nil) }

    /// Leads nowhere.
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

    /// Whether it leads to an object.
    public var hasValue: Bool { targetId != nil }

    /// The object that it leads to; nil where it leads nowhere, or the object is removed. Throws as
    /// ``Box/get(_:)-(Id)`` does.
    public func resolve(in box: Box<Target>) throws -> Target? {
        try targetId.flatMap { try box.get($0.value) }
    }

    /// The object that it leads to in a version. Throws as ``ViewBox/get(_:)-(Id)`` does.
    public func resolve(in view: StoreView) throws -> Target? {
        try targetId.flatMap { try view.box().get($0.value) }
    }

    /// `resolve` without blocking.
    public nonisolated(nonsending) func resolve(in box: Box<Target>) async throws -> Target? {
        guard let targetId else { return nil }
        return try await box.get(targetId.value)
    }

    /// `resolve` in a version, without blocking.
    public nonisolated(nonsending) func resolve(in view: StoreView) async throws -> Target? {
        guard let targetId else { return nil }
        return try await view.box().get(targetId.value)
    }
}

extension Reference: Hashable {
    /// Whether both lead to the same object.
    public static func == (one: Reference, other: Reference) -> Bool {
        one.targetId == other.targetId
    }

    /// Takes the id.
    public func hash(into hasher: inout Hasher) { hasher.combine(targetId) }
}

/// Kept as a link beside the host's row.
extension Reference: PropertyValue {
    /// As that of a ``ToOne``.
    public static var propertyType: PropertyType { .toOne(Target.self) }
    /// True: it may lead nowhere.
    public static var isOptionalProperty: Bool { true }
    /// Throws `.schemaMismatch`: no relation stands in a collection.
    public static func read(_ value: borrowing ValueReader) throws -> Reference {
        throw DaybookError.misplacedRelation
    }
    /// Throws `.schemaMismatch`: no relation stands in a collection.
    public func write(to value: inout ValueWriter) throws { throw DaybookError.misplacedRelation }
    /// Looks the link up.
    public static func read(_ index: Int, of row: borrowing RowReader) throws -> Reference {
        _ = try row.field(index, .toOne)
        return try Reference(Attachment(row.types, .field(index), host: row.id))
    }
    /// Writes nothing to the row: the link is the put's affair.
    public func write(to row: inout RowWriter, at index: Int) throws {
        try row.check(index, .toOne)
        row.relations.append(WrittenRelation(place: .field(index), relation: self))
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
