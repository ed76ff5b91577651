package import DaybookBytes
package import DaybookEngine

/// The rows that a query finds, in sections of rows with equal values of an expression.
package struct QuerySections: Sendable {
    private let query: QueryRunner
    private let order: BoundOrder
    private let expression: BoundExpression

    /// Throws the errors of ``ConditionResolver``.
    package init(
        _ query: QueryRunner, by key: QueryExpression, _ order: QueryOrder
    ) throws(DaybookError) {
        self.query = query
        expression = try ConditionResolver(query.model).resolve(key, of: query.entity)
        self.order = BoundOrder(.expression(expression), order)
    }

    /// The sections in the order of their keys; equal ones in the exact order of the values, nil
    /// before zero. Each section has its rows in the order of the query.
    ///
    /// The query runs unchanged, so all sections together have exactly its rows.
    package func sections(
        _ access: QueryAccess
    ) throws -> [(key: QueryValue, rows: [StoredRow])] {
        let reader = ExpressionReader(expression, access)
        let keys = OrderKeys([order, BoundOrder(exactly: expression)], access)
        var sections: [[UInt8]: (key: QueryValue, rows: [StoredRow])] = [:]
        for row in try query.rows(access) {
            var key: [UInt8] = []
            try keys.append(row.bytes, layout: row.layout, id: row.id, to: &key)
            if sections[key] == nil {
                let value = try reader.value(in: row.bytes, layout: row.layout, id: row.id)
                sections[key] = (value, [])
            }
            sections[key]?.rows.append(row)
        }
        return sections.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
    }
}
