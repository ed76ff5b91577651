import DaybookBytes
package import DaybookEngine
import DaybookRecords

extension QueryRunner {
    /// The rows of the result, in its order, with the distance of each from the searched vector.
    ///
    /// Throws `.invalidArgument` if the query does not search for nearest neighbours.
    package func measuredRows(
        _ access: QueryAccess
    ) throws -> [(row: StoredRow, distance: Double)] {
        guard nearest != nil else { throw Self.noNeighbors }
        return try run(access, reads: .rows, count: \.count) { run in
            let distances = run.distances
            return try access.scope.rows(entity, run.ids()).map { row in
                (row, distances[row.id] ?? .infinity)
            }
        }
    }

    /// The ids of ``measuredRows(_:)`` with their distances. Reads rows only for other conditions
    /// and for an order. Same errors.
    package func measuredIds(
        _ access: QueryAccess
    ) throws -> [(id: UInt64, distance: Double)] {
        guard nearest != nil else { throw Self.noNeighbors }
        return try run(access, reads: .ids, count: \.count) { run in
            let distances = run.distances
            return try run.ids().map { ($0, distances[$0] ?? .infinity) }
        }
    }

    private static var noNeighbors: DaybookError {
        DaybookError(
            .invalidArgument,
            "The query searches for no neighbours, so its results have no distance. Use 'nearest'"
                + " in its condition.")
    }

    /// The query for the objects that were found, in addition to the other conditions.
    func found(_ neighbors: [VectorNeighbor]) -> QueryRunner {
        var copy = withoutSearch
        copy.condition = .conjunction([.ids(neighbors.map(\.id).sorted()), condition])
        copy.ranking = neighbors.map(\.id)
        return copy
    }

    /// The query with its other conditions, for all objects that match them.
    var withoutSearch: QueryRunner {
        guard nearest != nil else { return self }
        var copy = self
        copy.nearest = nil
        return copy
    }
}

extension QueryRun {
    /// The distances of the objects that a search for nearest neighbours found.
    var distances: [UInt64: Double] {
        guard let search = nearestRun else { return [:] }
        return Dictionary(
            search.neighbors.map { ($0.id, search.form.shown($0.distance)) },
            uniquingKeysWith: { one, _ in one })
    }
}
