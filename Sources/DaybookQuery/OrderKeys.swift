package import DaybookBytes
package import DaybookEngine
import DaybookIndex

/// Makes of rows the bytes in whose order the rows are to stand. For one thread and one version, as
/// ``RowJudge``.
package final class OrderKeys {
    private let orders: [BoundOrder]
    private let access: QueryAccess

    package init(_ orders: [BoundOrder], _ access: QueryAccess) {
        self.orders = orders
        self.access = access
    }

    /// Appends the key of a row, without its id. Throws as ``ExpressionReader``.
    package func append(
        _ row: Span<UInt8>, layout: UInt32, id: UInt64, to key: inout [UInt8]
    ) throws(DaybookError) {
        fatalError("to be written")
    }
}

/// A ``QueryOrder`` whose names are resolved.
package struct BoundOrder: Sendable, Hashable {
    package enum Key: Sendable, Hashable {
        case expression(BoundExpression)
        case relevance
    }

    package var key: Key
    package var isDescending: Bool
    package var isCaseSensitive: Bool
    package var areNullsLast: Bool
    package var areNullsZero: Bool

    package init(_ key: Key, _ order: QueryOrder) {
        self.key = key
        isDescending = order.isDescending
        isCaseSensitive = order.isCaseSensitive
        areNullsLast = order.areNullsLast
        areNullsZero = order.areNullsZero
    }
}
