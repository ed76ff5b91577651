import DaybookBytes
import DaybookEngine

/// A box that reads objects together with their related objects: in one pass, instead of one by one
/// on access. Created by ``Box/including(_:)``.
///
/// Two relations to the same object then share it, if its type is a class.
public struct Including<E: Entity>: Sendable {
    let box: Box<E>
    private(set) var paths: [IncludedPath<E>]

    /// Returns a box that also reads these relations.
    public func including(_ paths: (any PartialKeyPath<E> & Sendable)...) -> Including {
        var more = self
        more.paths += paths.map { IncludedPath($0) }
        return more
    }

    /// Returns a box that also reads a relation, and relations of its objects.
    public func including<Relation: ObjectRelation>(
        _ path: any KeyPath<E, Relation> & Sendable,
        then next: (any PartialKeyPath<Relation.Target> & Sendable)...
    ) -> Including {
        var more = self
        more.paths.append(IncludedPath(path, then: next.map { IncludedPath($0) }))
        return more
    }

    /// Returns the object with an id, or nil.
    ///
    /// Throws `.invalidArgument` for a path that is not a relation; otherwise as
    /// ``Box/get(_:)``, also for the objects of the relations.
    public func get(_ id: Id) throws -> E? { try get(CollectionOfOne(id)).first }

    /// Returns the objects with these ids, in the order of the ids, without missing ones. All come
    /// from one version.
    public func get(_ ids: some Collection<Id>) throws -> [E] {
        try box.engine.readTransaction { try loaded(try box.get(ids)) }
    }

    /// Returns all objects, in the order of their ids. All come from one version.
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

    /// `get` with several ids, without blocking. The objects come from one version. The related
    /// objects of each relation come from one version, which may be newer.
    public nonisolated(nonsending) func get(_ ids: some Collection<Id>) async throws -> [E] {
        let objects = try await box.get(ids)
        for path in paths { try await path.loadElsewhere(objects) }
        return objects
    }

    /// `all` without blocking. The versions are as in `get` with several ids.
    public nonisolated(nonsending) func all() async throws -> [E] {
        let objects = try await box.all()
        for path in paths { try await path.loadElsewhere(objects) }
        return objects
    }
}

extension Box {
    /// Returns a box that also reads related objects: `box.including(\.customer, \.items).all()`.
    public func including(_ paths: (any PartialKeyPath<E> & Sendable)...) -> Including<E> {
        Including(box: self, paths: paths.map { IncludedPath($0) })
    }

    /// Returns a box that also reads the objects of a relation, and their related objects:
    /// `box.including(\.orders, then: \.items).all()`.
    public func including<Relation: ObjectRelation>(
        _ path: any KeyPath<E, Relation> & Sendable,
        then next: (any PartialKeyPath<Relation.Target> & Sendable)...
    ) -> Including<E> {
        Including(
            box: self, paths: [IncludedPath(path, then: next.map { IncludedPath($0) })])
    }
}
