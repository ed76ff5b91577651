/// A value that leads on to members: a relation to one object, or an embedded value, optional or
/// not.
public protocol QueryStep {
    /// The type that has the members: its own, unless it is stated. (That an embedded type's is
    /// always its own could be required of a class only if it is final.)
    associatedtype StepRoot = Self
}

/// A relation to at most one object: ``ToOne`` or ``Reference``.
public protocol ToOneRelation: QueryStep where StepRoot == Target {
    /// The type of the object at the other end.
    associatedtype Target: Entity
}

/// A relation to any number of objects: ``ToMany``, ``References``, ``List`` of objects,
/// ``LinkingObjects``; or a backlink.
public protocol ToManyRelation {
    /// The type of the objects at the other end.
    associatedtype Target: Entity
}

extension ToOne: ToOneRelation { public typealias StepRoot = Target }
extension Reference: ToOneRelation { public typealias StepRoot = Target }
extension ToMany: ToManyRelation {}
extension References: ToManyRelation {}
extension List: ToManyRelation where Element: Object & Entity { public typealias Target = Element }
extension LinkingObjects: ToManyRelation where Element: Entity { public typealias Target = Element }

extension Optional: QueryStep where Wrapped: QueryStep {
    public typealias StepRoot = Wrapped.StepRoot
}
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
