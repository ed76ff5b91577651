/// The number of an object within its entity: 1, 2, 3 …. 0 means "not stored yet".
public typealias Id = UInt64

/// What can be an entity's id: ``Id``, `Int64`, or ``EntityId``, which knows its entity.
public protocol ObjectIdentity {
    /// Makes an identity of a plain number.
    init(objectId: Id)
    /// The plain number.
    var objectId: Id { get }
}

extension UInt64: ObjectIdentity {
    /// Is the number itself.
    public init(objectId: Id) { self = objectId }
    /// Is the number itself.
    public var objectId: Id { self }
}

extension Int64: ObjectIdentity {
    /// The number with the same bits.
    public init(objectId: Id) { self.init(bitPattern: objectId) }
    /// The number with the same bits.
    public var objectId: Id { Id(bitPattern: self) }
}

/// An id that knows which entity it belongs to, so that ids of two entities cannot be mixed up.
public struct EntityId<E: Entity>: ObjectIdentity, Hashable, Sendable {
    /// The plain number.
    public let value: Id

    /// Makes a typed id of a plain number; 0 means "not stored yet".
    public init(_ value: Id) { self.value = value }
    /// Makes a typed id of a plain number; 0 means "not stored yet".
    public init(objectId: Id) { value = objectId }
    /// The plain number.
    public var objectId: Id { value }
}

extension EntityId: ExpressibleByIntegerLiteral {
    /// Makes a typed id of a literal.
    public init(integerLiteral value: Id) { self.value = value }
}

extension EntityId: CustomStringConvertible {
    /// The plain number in decimal.
    public var description: String { String(value) }
}
