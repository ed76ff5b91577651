import DaybookEngine
public import DaybookRows

/// The objects that link to an object in one relation: see ``RowBox/backlinks(of:limit:)``.
public struct RowBacklinks: Sendable, Hashable {
    /// The other end of the relation.
    public let backlink: StoreSchema.Backlink
    /// The ids of the objects, ascending and unique.
    public let ids: [Id]
}

extension RowBox {
    /// Returns the objects that link to an object, for each relation that the newest layouts have.
    ///
    /// - Parameters:
    ///   - id: The id of the object. Nothing links to an object that does not exist.
    ///   - limit: The maximum number of ids for each relation, the lowest first.
    /// - Returns: One element for each of ``StoreSchema/Entity/backlinks``, with its ids or none.
    /// - Complexity: A tree lookup for each relation, and a few ns for each id.
    public func backlinks(of id: Id, limit: Int = .max) throws -> [RowBacklinks] {
        let form = try form()
        return try types.read {
            let scope = try types.scope()
            return try StoreSchema.backlinks(to: form.entity, types.engine.schemas.schema)
                .map { backlink, relation in
                    let end = LinkEnd(relation, isBackward: true, id: id)
                    return RowBacklinks(
                        backlink: backlink, ids: try scope.links(of: end, limit: limit))
                }
        }
    }

    /// `backlinks` without blocking.
    public nonisolated(nonsending) func backlinks(
        of id: Id, limit: Int = .max
    ) async throws -> [RowBacklinks] {
        let box = self
        return try await types.engine.readElsewhere { try box.backlinks(of: id, limit: limit) }
    }
}
