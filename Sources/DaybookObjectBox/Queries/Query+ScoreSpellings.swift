public import Daybook

/// The plain id of an object with its score: see ``Daybook/ObjectWithScore/score``. Daybook's own
/// type with a typed id is written `Daybook.IdWithScore` in a file that imports `DaybookObjectBox`.
public struct IdWithScore: Sendable, Hashable {
    /// The id.
    public let id: Id
    /// The score. For neighbours, the distance: lower is nearer.
    public let score: Double
}

extension Query {
    /// As `findWithScores` of the query with an offset and a limit, in addition to its own. Throws
    /// also `.invalidArgument` for a negative number.
    public func findWithScores(
        offset: Int, limit: Int = .max
    ) throws -> [ObjectWithScore<E>] { try part(offset: offset, limit: limit).findWithScores() }

    /// As `findWithScores` of the query with a limit, in addition to its own.
    public func findWithScores(limit: Int) throws -> [ObjectWithScore<E>] {
        try part(offset: 0, limit: limit).findWithScores()
    }

    /// As `findWithScores` with plain ids. No object is decoded.
    ///
    /// - Parameters:
    ///   - offset: The number of objects to skip, in addition to the query's own.
    ///   - limit: The maximum number of objects. The query's own applies too. 0 returns no objects.
    /// - Throws: The errors of `findWithScores`, and `.invalidArgument` for a negative number.
    public func findIdsWithScores(offset: Int = 0, limit: Int = .max) throws -> [IdWithScore] {
        let found: [Daybook.IdWithScore<E>] =
            try part(offset: offset, limit: limit).findIdsWithScores()
        return found.map { IdWithScore(id: $0.id.value, score: $0.score) }
    }
}
