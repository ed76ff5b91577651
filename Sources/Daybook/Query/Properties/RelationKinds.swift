import DaybookQuery

/// A to-one relation: ``ToOne`` or ``Reference``.
public protocol ToOneRelation {
    /// The type of the related object.
    associatedtype Target: Entity
    /// The id of the related object; nil if there is none.
    var targetId: EntityId<Target>? { get }
}

extension ToOneRelation {
    /// The value that conditions compare.
    var storedTarget: QueryValue { targetId.map { .integer(Int128($0.value)) } ?? .null }
}

/// A to-many relation: ``ToMany``, ``References``, a backlink, and the lists of objects and linking
/// objects of DaybookRealm.
public protocol ToManyRelation {
    /// The type of the related objects.
    associatedtype Target: Entity
}

extension ToOne: ToOneRelation {}
extension Reference: ToOneRelation {}
extension ToMany: ToManyRelation {}
extension References: ToManyRelation {}

extension Optional: ToOneRelation where Wrapped: ToOneRelation {
    /// The type of the related object.
    public typealias Target = Wrapped.Target
    /// The id of the related object; nil if there is none.
    public var targetId: EntityId<Wrapped.Target>? { flatMap(\.targetId) }
}
extension Optional: ToManyRelation where Wrapped: ToManyRelation {
    /// The type of the related objects.
    public typealias Target = Wrapped.Target
}

/// An optional type.
public protocol OptionalValue: ExpressibleByNilLiteral {
    /// The wrapped type.
    associatedtype Wrapped
}

extension Optional: OptionalValue {}
