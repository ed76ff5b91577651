package import DaybookBytes
package import DaybookEngine

extension QueryRunner {
    /// The rows of the result, in its order, with the relevance of each for the words of the
    /// condition: see ``Relevance``.
    ///
    /// Without words, a search for nearest neighbours gives each row its distance as the score: see
    /// ``measuredRows(_:)``.
    ///
    /// Throws `.invalidArgument` if the condition searches for neither.
    package func scoredRows(
        _ access: QueryAccess
    ) throws -> [(row: StoredRow, score: Double)] {
        let searches = condition.columnSearches
        if searches.isEmpty, nearest != nil {
            return try measuredRows(access).map { ($0.row, $0.distance) }
        }
        guard !searches.isEmpty else { throw Self.noWords }
        let relevance = try Relevance(searches, entity: entity, access: access)
        return try rows(access).map { row in
            (row, try relevance.score(of: row.bytes, layout: row.layout, id: row.id))
        }
    }

    private static var noWords: DaybookError {
        DaybookError(
            .invalidArgument,
            "The query searches for no words, so its results have no relevance. Use 'matches' in"
                + " its condition, outside negations and conditions on related objects.")
    }
}

extension QueryRunner {
    /// The words and phrases that the condition searches in a property; see
    /// ``BoundCondition/phrases(in:)``. Throws the errors of ``ConditionResolver`` for the path.
    package func phrases(in path: PropertyPath) throws(DaybookError) -> [[QueryWord]] {
        let resolver = ConditionResolver(model)
        guard case .column(let column) = try resolver.resolve(.property(path), of: entity) else {
            return []
        }
        return condition.phrases(in: column)
    }
}
