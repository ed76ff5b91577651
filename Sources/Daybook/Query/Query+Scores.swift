import DaybookBytes
import DaybookEngine
import DaybookQuery

/// An object with its full-text relevance.
public struct ObjectWithScore<E: Entity> {
    /// The object.
    public let object: E
    /// The relevance. A higher score is a better match. Scores of different queries are not
    /// comparable. For a query that searches for neighbours and no words, the distance: lower is
    /// nearer.
    public let score: Double
}

extension ObjectWithScore: Sendable where E: Sendable {}

/// The id of an object with its full-text relevance.
public struct IdWithScore<E: Entity>: Sendable {
    /// The id.
    public let id: EntityId<E>
    /// The relevance: see ``ObjectWithScore/score``.
    public let score: Double
}

extension Query {
    /// Returns the query ordered by full-text relevance, best match first. Earlier keys take
    /// precedence.
    public func orderedByRelevance() -> Query {
        changed { $0.orders.append(QueryOrder(.relevance)) }
    }

    /// Returns the objects in the query's order, each with its relevance. The relevance is the sum
    /// over all properties that the condition searches for words, outside negations and conditions
    /// on related objects. It depends on all objects of the entity, and on neither the offset nor
    /// the limit; see <doc:Text>. Throws `.invalidArgument` if the condition has no
    /// ``Property/matches(_:)`` and no ``Property/nearest(to:count:)``.
    public func findWithScores() throws -> [ObjectWithScore<E>] {
        let (runner, binding) = (try runner(), try binding())
        return try types.query { access in
            try withScores(try runner.scoredRows(access), binding, load: loaded)
        }
    }

    /// Returns the ids of the objects in the query's order, each with its relevance. Same as
    /// `findWithScores` otherwise; no object is decoded.
    // Disfavored, because ObjectBox's form returns plain ids.
    @_disfavoredOverload
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
