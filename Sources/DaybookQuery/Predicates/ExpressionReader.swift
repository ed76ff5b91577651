package import DaybookBytes
package import DaybookEngine
import DaybookRecords

/// Evaluates an expression for rows. For one thread and one version, as ``RowEvaluator``.
package final class ExpressionReader {
    private let expression: BoundExpression
    private let access: QueryAccess
    private let entity: UInt32?
    private var compiled: [UInt32: CompiledReader] = [:]

    package init(_ expression: BoundExpression, _ access: QueryAccess, entity: UInt32? = nil) {
        self.expression = expression
        self.access = access
        self.entity = entity
    }

    /// Throws the errors of ``RowEvaluator/isTrue(of:layout:id:)``, and `.overflow` if a sum
    /// exceeds its type.
    package func value(
        in row: Span<UInt8>, layout: UInt32, id: UInt64
    ) throws(DaybookError) -> QueryValue {
        if let known = compiled[layout] { return try known.value(row, id) }
        let rowLayout = try access.layout(layout, of: entity)
        let made = CompiledReader(
            RowCompiler(access, rowLayout).reader(expression), rowLayout)
        compiled[layout] = made
        return try made.value(row, id)
    }
}
