import DaybookEngine
public import DaybookRows

extension RowBox {
    /// Returns up to `limit` objects with ids above `id`, in the order of ids. To read all objects
    /// page by page, pass the last id of the previous page; a page with fewer objects is the last.
    ///
    /// - Complexity: One tree lookup, and a read of the returned objects, whatever the number of
    ///   objects before them. In a write transaction, linear in the number of all objects.
    public func page(after id: Id = 0, limit: Int) throws -> [AnyRow] {
        guard id < Id.max, limit > 0 else { return [] }
        let form = try form()
        return try types.read {
            let scope = try types.scope()
            guard let view = scope.view else {
                var found: [AnyRow] = []
                try types.engine.forEachRow(form.entity) { row in
                    if row.id > id { found.append(try form.object(row, in: scope)) }
                    return found.count < limit
                }
                return found
            }
            return try view.rows(form.entity, from: id + 1, limit: limit)
                .map { try form.object($0, in: scope) }
        }
    }

    /// `page` without blocking.
    public nonisolated(nonsending) func page(after id: Id = 0, limit: Int) async throws -> [AnyRow]
    {
        let box = self
        return try await types.engine.readElsewhere { try box.page(after: id, limit: limit) }
    }
}
