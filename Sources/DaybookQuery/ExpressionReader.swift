package import DaybookBytes
package import DaybookEngine
import DaybookIndex

/// Reads the value of an expression in rows. For one thread and one version, as ``RowJudge``.
package final class ExpressionReader {
    private let expression: BoundExpression
    private let access: QueryAccess

    package init(_ expression: BoundExpression, _ access: QueryAccess) {
        self.expression = expression
        self.access = access
    }

    /// Throws as ``RowJudge/isTrue(of:layout:id:)``, and `.overflow` for a sum that no number can
    /// hold.
    package func value(
        in row: Span<UInt8>, layout: UInt32, id: UInt64
    ) throws(DaybookError) -> QueryValue {
        fatalError("to be written")
    }
}
