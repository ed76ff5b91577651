import DaybookBytes
package import DaybookEngine

extension QueryRunner {
    /// The rows of the result, in its order, with the relevance of each for the words of the
    /// condition. The scores are relative to all matching rows, regardless of offset and limit.
    ///
    /// Throws `.invalidArgument` if the condition searches for no words. Cost: reads all matching
    /// rows.
    package func scoredRows(
        _ access: QueryAccess
    ) throws -> [(row: StoredRow, score: Double)] {
        guard let (column, words) = condition.firstWords else { throw Self.noWords }
        let relevance = try Relevance(
            words: words, column: column, entity: entity, access: access)
        let rows = try with(offset: 0, limit: nil).rows(access)
        let scores = try relevance.scores(of: rows)
        let found = zip(rows, scores).dropFirst(definition.offset)
        return found.prefix(definition.limit ?? .max).map { ($0, $1) }
    }

    private static var noWords: DaybookError {
        DaybookError(
            .invalidArgument,
            "The query searches for no words, so its results have no relevance. Use 'matches' in"
                + " its condition, outside negations and conditions on related objects.")
    }
}
