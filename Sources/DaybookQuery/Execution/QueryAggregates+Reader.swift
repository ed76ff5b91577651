package import DaybookEngine

extension QueryAggregates {
    /// Reads the expression in rows that the query has found.
    package func reader(_ access: QueryAccess) -> ExpressionReader {
        ExpressionReader(expression, access)
    }
}
