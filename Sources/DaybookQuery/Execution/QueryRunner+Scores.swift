import DaybookBytes
package import DaybookEngine

extension QueryRunner {
    /// The rows that it finds, in its order, and how well the words of its condition are met in
    /// each: measured by all rows that it finds, whatever its offset and limit.
    ///
    /// Throws `.invalidArgument` where the condition looks for no words. Cost: all rows that the
    /// condition is true of are read.
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
            "The query looks for no words, so what it finds has no relevance. Use 'matches' in its"
                + " condition, outside negations and conditions on other objects.")
    }
}
