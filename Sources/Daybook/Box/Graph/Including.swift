import DaybookBytes
import DaybookEngine

/// A box whose objects come with objects that they relate to: read together in one pass, not one by
/// one when they are asked for. Made by ``Box/including(_:)``.
///
/// Two relations to the same object then share it, where it is of a class.
public struct Including<E: Entity>: Sendable {
    let box: Box<E>
    private(set) var paths: [IncludedPath<E>]

    /// Reads these relations along, too.
    public func including(_ paths: (any PartialKeyPath<E> & Sendable)...) -> Including {
        var more = self
        more.paths += paths.map { IncludedPath($0) }
        return more
    }

    /// Reads a relation along, too, and relations of its objects.
    public func including<Relation: ObjectRelation>(
        _ path: any KeyPath<E, Relation> & Sendable,
        then next: (any PartialKeyPath<Relation.Target> & Sendable)...
    ) -> Including {
        var more = self
        more.paths.append(IncludedPath(path, then: next.map { IncludedPath($0) }))
        return more
    }

    /// The object under an id, or nil.
    ///
    /// Throws `.invalidArgument` for a path that is to no relation; else as ``Box/get(_:)-(Id)``
    /// does, also for the objects of the relations.
    public func get(_ id: Id) throws -> E? { try get(CollectionOfOne(id)).first }

    /// The objects under ids, in the order of the ids, without those that are missing. All come
    /// from one version.
    public func get(_ ids: some Collection<Id>) throws -> [E] {
        try box.engine.readTransaction { try loaded(try box.get(ids)) }
    }

    /// All objects, in the order of their ids. All come from one version.
    public func all() throws -> [E] {
        try box.engine.readTransaction { try loaded(try box.all()) }
    }

    private func loaded(_ objects: [E]) throws -> [E] {
        for path in paths { try path.load(objects) }
        return objects
    }

    /// `get` without blocking.
    public nonisolated(nonsending) func get(_ id: Id) async throws -> E? {
        try await get(CollectionOfOne(id)).first
    }

    /// `get` of several objects, without blocking. The objects come from one version, those of each
    /// relation from one that may be newer.
    public nonisolated(nonsending) func get(_ ids: some Collection<Id>) async throws -> [E] {
        let objects = try await box.get(ids)
        for path in paths { try await path.loadElsewhere(objects) }
        return objects
    }

    /// `all` without blocking. As `get` of several objects.
    public nonisolated(nonsending) func all() async throws -> [E] {
        let objects = try await box.all()
        for path in paths { try await path.loadElsewhere(objects) }
        return objects
    }
}

extension Box {
    /// The box, with objects that its own relate to read along:
    /// `box.including(\.customer, \.items).all()`.
    public func including(_ paths: (any PartialKeyPath<E> & Sendable)...) -> Including<E> {
        Including(box: self, paths: paths.map { IncludedPath($0) })
    }

    /// The box, with the objects of a relation read along, and those that these relate to:
    /// `box.including(\.orders, then: \.items).all()`.
    public func including<Relation: ObjectRelation>(
        _ path: any KeyPath<E, Relation> & Sendable,
        then next: (any PartialKeyPath<Relation.Target> & Sendable)...
    ) -> Including<E> {
        Including(
            box: self, paths: [IncludedPath(path, then: next.map { IncludedPath($0) })])
    }
}
