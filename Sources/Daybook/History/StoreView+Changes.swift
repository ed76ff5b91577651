import DaybookBytes
import DaybookEngine

/// An object that differs between two versions of a store: see ``StoreView/changes(of:since:)``.
/// Each object is read from its version, including its relations.
public struct Difference<E: Entity>: Sendable {
    private let difference: RowDifference
    private let older: StoreTypes
    private let newer: StoreTypes

    init(_ difference: RowDifference, _ older: StoreTypes, _ newer: StoreTypes) {
        self.difference = difference
        self.older = older
        self.newer = newer
    }

    /// The id of the object.
    public var id: EntityId<E> { EntityId(difference.id) }

    /// The object in the older version, or nil if it does not exist there. Throws `.corruption` and
    /// the errors of the type's own decoding.
    public var before: E? { get throws { try decode(difference.before, older) } }

    /// The object in the newer version, or nil if it does not exist there. Throws the errors of
    /// ``before``.
    public var after: E? { get throws { try decode(difference.after, newer) } }

    /// The Swift names of the properties whose values differ. Empty for an object that was written
    /// again without changes. Relations are not included. Throws `.corruption`.
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
    /// Returns the objects of an entity that differ between another version and this one, including
    /// objects that exist in only one of them, in the order of ids.
    ///
    /// `older` may also be a newer version than this one. Both must belong to the same store.
    /// Objects that differ only in their links are not included: see ``linkChanges(since:)``.
    ///
    /// - Returns: The differences. Their rows are kept in memory.
    /// - Complexity: Proportional to the number of differences, because pages that both versions
    ///   share are skipped. A version that ``Store/view(at:)`` created by reading the log from its
    ///   beginning shares no pages: the cost is then about 10 ns for each object that ever existed.
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

    /// Returns the links that only this version has as added, and the links that only the other
    /// version has as removed. They are ordered by relation, source, and position in a list. A link
    /// that moved to another position of a list is reported as removed and added.
    ///
    /// All relations are compared, including relations that no type declares now. `older` may also
    /// be a newer version than this one. Both must belong to the same store.
    ///
    /// - Complexity: As for ``changes(of:since:)``, with links instead of objects.
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

    /// The views of this version and of another version of the same store.
    func views(since older: StoreView) throws -> (newer: ReadView, older: ReadView) {
        guard let view = types.view, let before = older.types.view,
            types.engine === older.types.engine
        else {
            throw DaybookError(
                .invalidArgument,
                "The two versions belong to different stores. Compare versions of one store.")
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
