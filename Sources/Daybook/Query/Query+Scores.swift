import DaybookBytes
import DaybookEngine
import DaybookQuery

/// An object, and how well the words that were looked for are met in it.
public struct ObjectWithScore<E: Entity> {
    /// The object.
    public let object: E
    /// Its relevance: the greater, the better. Scores of different queries are not to be compared.
    public let score: Double
}

extension ObjectWithScore: Sendable where E: Sendable {}

/// The id of an object, and how well the words that were looked for are met in it.
public struct IdWithScore<E: Entity>: Sendable {
    /// The id.
    public let id: EntityId<E>
    /// As ``ObjectWithScore/score``.
    public let score: Double
}

extension Query {
    /// In the order of how well the words that its condition looks for are met, the best first;
    /// behind the orders that were named before.
    public func sortedByRelevance() -> Query {
        changed { $0.orders.append(QueryOrder(.relevance)) }
    }

    /// The objects, in the query's order, with the relevance of each: that of all that the
    /// condition is true of, whatever offset and limit are. Throws `.invalidArgument` where the
    /// condition has no ``Property/matches(_:)``.
    public func findWithScores() throws -> [ObjectWithScore<E>] {
        let (runner, binding) = (try runner(), try binding())
        return try types.query { access in
            try withScores(try runner.scoredRows(access), binding, load: loaded)
        }
    }

    /// The ids of the objects, in the query's order, with the relevance of each. As
    /// `findWithScores`.
    public func findIdsWithScores() throws -> [IdWithScore<E>] {
        let runner = try runner()
        return try types.query { access in
            try runner.scoredRows(access).map { row, score in
                IdWithScore(id: EntityId(row.id), score: score)
            }
        }
    }

    /// `findWithScores` without blocking.
    public nonisolated(nonsending) func findWithScores() async throws -> [ObjectWithScore<E>] {
        let (runner, binding) = (try runner(), try binding())
        let rows = try await elsewhere { try runner.scoredRows($0) }
        let found = try withScores(rows, binding) { $0 }
        _ = try await loadedElsewhere(found.map(\.object))
        return found
    }

    /// `findIdsWithScores` without blocking.
    public nonisolated(nonsending) func findIdsWithScores() async throws -> [IdWithScore<E>] {
        let runner = try runner()
        return try await elsewhere { access in
            try runner.scoredRows(access).map { row, score in
                IdWithScore(id: EntityId(row.id), score: score)
            }
        }
    }

    private func withScores(
        _ rows: [(row: StoredRow, score: Double)], _ binding: EntityBinding,
        load: ([E]) throws -> [E]
    ) throws -> [ObjectWithScore<E>] {
        let objects = try load(rows.map { try binding.decode($0.row, as: E.self, types) })
        return zip(objects, rows).map { ObjectWithScore(object: $0, score: $1.score) }
    }
}
