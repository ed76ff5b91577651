import DaybookBytes
import DaybookEngine

/// An object that two versions of a store do not have alike: see
/// ``StoreView/changes(of:since:)``. Objects are read in the version that they are of, relations
/// included.
public struct Difference<E: Entity>: Sendable {
    private let difference: RowDifference
    private let older: StoreTypes
    private let newer: StoreTypes

    init(_ difference: RowDifference, _ older: StoreTypes, _ newer: StoreTypes) {
        self.difference = difference
        self.older = older
        self.newer = newer
    }

    /// Whose difference it is.
    public var id: EntityId<E> { EntityId(difference.id) }

    /// The object in the older version; nil where that has none. Throws `.corruption`, and what the
    /// type's own decoding throws.
    public var before: E? { get throws { try decode(difference.before, older) } }

    /// The object in the newer version; nil where that has none. Throws as ``before``.
    public var after: E? { get throws { try decode(difference.after, newer) } }

    /// The names in Swift of the properties that differ: none for an object that was written again
    /// as it was. Relations are not among them. Throws `.corruption`.
    public var changedProperties: Set<String> {
        get throws {
            try newer.binding(of: E.self)
                .changedProperties(difference.before, difference.after)
        }
    }

    private func decode(_ row: StoredRow?, _ types: StoreTypes) throws -> E? {
        let binding = try types.binding(of: E.self)
        return try row.map { try binding.decode($0, as: E.self, types) }
    }
}

extension StoreView {
    /// The objects of an entity that another version has otherwise, or one of both has not, in the
    /// order of their ids: what an object was there, and what it is here.
    ///
    /// The other version may be older or newer; of both, the store must be the same. Links alone
    /// make no difference: see ``linkChanges(since:)``.
    ///
    /// - Complexity: in proportion to what differs, for pages that both versions share are passed;
    ///   the rows of those that differ are held. A version that ``Store/view(at:)`` made by reading
    ///   the log from its beginning shares none: then some 10 ns for each object that there ever
    ///   was.
    /// - Throws: `.entityNotRegistered`, `.invalidArgument` for a version of another store,
    ///   `.closed`, `.corruption`.
    public func changes<E: Entity>(
        of type: E.Type = E.self, since older: StoreView
    ) throws -> [Difference<E>] {
        let binding = try types.binding(of: type)
        let (view, before) = try views(since: older)
        let (old, new) = (older.types.owned(by: binding), types.owned(by: binding))
        var found: [Difference<E>] = []
        try view.forEachDifference(of: binding.entity, since: before) { difference in
            found.append(Difference(difference, old, new))
            return true
        }
        return found
    }

    /// The links that another version has not, as made, and those that it has and this one has
    /// not, as undone: relation by relation, in the order of their sources, and of the places in
    /// lists. What stands at another place of a list was undone and made.
    ///
    /// All relations are compared, those included that no type declares any more. The other version
    /// may be older or newer; of both, the store must be the same.
    ///
    /// - Complexity: as of ``changes(of:since:)``, by links.
    /// - Throws: `.invalidArgument` for a version of another store, `.closed`, `.corruption`.
    public func linkChanges(since older: StoreView) throws -> [LinkChanged] {
        let (view, before) = try views(since: older)
        let schemas = types.engine.schemas
        var found: [LinkChanged] = []
        try view.forEachLinkDifference(since: before, among: schemas.schema.relations) { change in
            found.append(LinkChanged(change, schemas))
            return true
        }
        return found
    }

    /// This version and another one of the same store.
    private func views(since older: StoreView) throws -> (newer: ReadView, older: ReadView) {
        guard let view = types.view, let before = older.types.view,
            types.engine === older.types.engine
        else {
            throw DaybookError(
                .invalidArgument,
                "The two versions are of two stores. Compare versions of one store.")
        }
        guard types.engine.isOpen else { throw StoreTypes.closed }
        return (view, before)
    }

    /// `linkChanges` without blocking.
    public nonisolated(nonsending) func linkChanges(
        since older: StoreView
    ) async throws -> [LinkChanged] {
        try await types.engine.readElsewhere { try self.linkChanges(since: older) }
    }

    /// `changes` without blocking.
    public nonisolated(nonsending) func changes<E: Entity>(
        of type: E.Type = E.self, since older: StoreView
    ) async throws -> [Difference<E>] {
        try await types.engine.readElsewhere { try self.changes(of: type, since: older) }
    }
}
