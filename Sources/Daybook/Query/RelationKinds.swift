/// A relation to at most one object: ``ToOne`` or ``Reference``.
public protocol ToOneRelation {
    /// The type of the object at the other end.
    associatedtype Target: Entity
}

/// A relation to any number of objects: ``ToMany``, ``References``, ``List`` of objects,
/// ``LinkingObjects``; or a backlink.
public protocol ToManyRelation {
    /// The type of the objects at the other end.
    associatedtype Target: Entity
}

extension ToOne: ToOneRelation {}
extension Reference: ToOneRelation {}
extension ToMany: ToManyRelation {}
extension References: ToManyRelation {}
extension List: ToManyRelation where Element: Object & Entity { public typealias Target = Element }
extension LinkingObjects: ToManyRelation where Element: Entity { public typealias Target = Element }

extension Optional: ToOneRelation where Wrapped: ToOneRelation {
    public typealias Target = Wrapped.Target
}
extension Optional: ToManyRelation where Wrapped: ToManyRelation {
    public typealias Target = Wrapped.Target
}

/// A type that may be nil: `Optional`.
public protocol OptionalValue: ExpressibleByNilLiteral {
    /// The type without nil.
    associatedtype Wrapped
}

extension Optional: OptionalValue {}
