/// The number of an object within its entity: 1, 2, 3 …. 0 means "not stored yet".
public typealias Id = UInt64

/// A type for an entity's id: ``Id``, `Int64`, or ``EntityId``, which is specific to an entity.
public protocol ObjectIdentity {
    /// Creates an id from a plain number.
    init(objectId: Id)
    /// The plain number.
    var objectId: Id { get }
}

extension UInt64: ObjectIdentity {
    /// Returns the number itself.
    public init(objectId: Id) { self = objectId }
    /// The number itself.
    public var objectId: Id { self }
}

extension Int64: ObjectIdentity {
    /// Creates the number with the same bits.
    public init(objectId: Id) { self.init(bitPattern: objectId) }
    /// The number with the same bits.
    public var objectId: Id { Id(bitPattern: self) }
}

/// An id of one entity. The compiler rejects it as an id of another entity.
public struct EntityId<E: Entity>: ObjectIdentity, Hashable, Sendable {
    /// The plain number.
    public let value: Id

    /// Creates a typed id from a plain number; 0 means "not stored yet".
    public init(_ value: Id) { self.value = value }
    /// Creates a typed id from a plain number; 0 means "not stored yet".
    public init(objectId: Id) { value = objectId }
    /// The plain number.
    public var objectId: Id { value }
}

extension EntityId: ExpressibleByIntegerLiteral {
    /// Creates a typed id from a literal.
    public init(integerLiteral value: Id) { self.value = value }
}

extension EntityId: CustomStringConvertible {
    /// The plain number in decimal.
    public var description: String { String(value) }
}
