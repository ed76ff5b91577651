import DaybookQuery

/// A relation to at most one object: ``ToOne`` or ``Reference``.
public protocol ToOneRelation {
    /// The type of the object at the other end.
    associatedtype Target: Entity
    /// The id of the object that it leads to; nil where it leads nowhere.
    var targetId: EntityId<Target>? { get }
}

extension ToOneRelation {
    /// What conditions compare.
    var storedTarget: QueryValue { targetId.map { .integer(Int128($0.value)) } ?? .null }
}

/// A relation to any number of objects: ``ToMany``, ``References``, a backlink, and the lists of
/// objects and linking objects of DaybookRealm.
public protocol ToManyRelation {
    /// The type of the objects at the other end.
    associatedtype Target: Entity
}

extension ToOne: ToOneRelation {}
extension Reference: ToOneRelation {}
extension ToMany: ToManyRelation {}
extension References: ToManyRelation {}

extension Optional: ToOneRelation where Wrapped: ToOneRelation {
    /// The type of the object at the other end.
    public typealias Target = Wrapped.Target
    /// The id of the object that it leads to; nil where it leads nowhere.
    public var targetId: EntityId<Wrapped.Target>? { flatMap(\.targetId) }
}
extension Optional: ToManyRelation where Wrapped: ToManyRelation {
    /// The type of the object at the other end.
    public typealias Target = Wrapped.Target
}

/// A type that may be nil: `Optional`.
public protocol OptionalValue: ExpressibleByNilLiteral {
    /// The type without nil.
    associatedtype Wrapped
}

extension Optional: OptionalValue {}
