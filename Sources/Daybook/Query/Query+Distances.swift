import DaybookEngine
import DaybookQuery

/// An object with the distance of its vector from the searched vector.
public struct ObjectWithDistance<E: Entity> {
    /// The object.
    public let object: E
    /// The distance, by the metric of the index: see ``VectorMetric``. Lower is nearer.
    public let distance: Double
}

extension ObjectWithDistance: Sendable where E: Sendable {}

/// The id of an object with the distance of its vector from the searched vector.
public struct IdWithDistance<E: Entity>: Sendable {
    /// The id.
    public let id: EntityId<E>
    /// The distance: see ``ObjectWithDistance/distance``.
    public let distance: Double
}

extension Query {
    /// Returns the objects in the query's order, each with its distance from the vector that the
    /// condition searches. Without another order, the nearest is the first. Throws
    /// `.invalidArgument` if the condition has no ``Property/nearest(to:count:)``.
    public func findWithDistances() throws -> [ObjectWithDistance<E>] {
        let (runner, binding) = (try runner(), try binding())
        return try types.query { access in
            let rows = try runner.measuredRows(access)
            let objects = try loaded(rows.map { try binding.decode($0.row, as: E.self, types) })
            return zip(objects, rows).map {
                ObjectWithDistance(object: $0, distance: $1.distance)
            }
        }
    }

    /// Returns the ids of the objects in the query's order, each with its distance. Same as
    /// `findWithDistances` otherwise, but reads rows only for other conditions and for an order.
    public func findIdsWithDistances() throws -> [IdWithDistance<E>] {
        let runner = try runner()
        return try types.query { access in
            try runner.measuredIds(access).map { id, distance in
                IdWithDistance(id: EntityId(id), distance: distance)
            }
        }
    }

    /// `findWithDistances` without blocking.
    public nonisolated(nonsending) func findWithDistances() async throws
        -> [ObjectWithDistance<E>]
    {
        let (runner, binding) = (try runner(), try binding())
        let rows = try await elsewhere { try runner.measuredRows($0) }
        let found = try rows.map { row, distance in
            ObjectWithDistance(
                object: try binding.decode(row, as: E.self, types), distance: distance)
        }
        _ = try await loadedElsewhere(found.map(\.object))
        return found
    }

    /// `findIdsWithDistances` without blocking.
    public nonisolated(nonsending) func findIdsWithDistances() async throws
        -> [IdWithDistance<E>]
    {
        let runner = try runner()
        return try await elsewhere { access in
            try runner.measuredIds(access).map { id, distance in
                IdWithDistance(id: EntityId(id), distance: distance)
            }
        }
    }
}
