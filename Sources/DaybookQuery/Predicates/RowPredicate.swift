import DaybookBytes
import DaybookRecords

/// A condition compiled for rows of one layout. The base class is always false.
class RowPredicate {
    /// The approximate cost in nanoseconds. Cheap predicates are evaluated first.
    var cost: Int { 1 }

    /// The equivalent filter for columns; nil if the predicate needs the rows.
    var columnFilter: ColumnFilter? { type(of: self) == RowPredicate.self ? .always(false) : nil }

    func isTrue(_ row: borrowing RowParts, _ id: UInt64) throws(DaybookError) -> Bool { false }

    /// Keeps the rows that match. Predicates that take a few nanoseconds override this, so that no
    /// row costs a call.
    func select(
        _ batch: borrowing RowBatch, _ shape: RowShape, _ rows: inout RowSelection
    ) throws(DaybookError) {
        try rows.keep(batch, shape) { (row, id) throws(DaybookError) in try isTrue(row, id) ? 1 : 0
        }
    }
}

/// Always true.
final class TrueTest: RowPredicate {
    override var columnFilter: ColumnFilter? { .always(true) }

    override func isTrue(
        _ row: borrowing RowParts, _ id: UInt64
    ) throws(DaybookError) -> Bool { true }
}

/// Whether both, or at least one, of two predicates are true. More than two form a chain or a tree,
/// so that no list is iterated and nothing is retained.
final class JoinedTest: RowPredicate {
    private let first: RowPredicate
    private let second: RowPredicate
    /// Whether both must be true.
    private let isAnd: Bool

    init(_ first: RowPredicate, _ second: RowPredicate, isAnd: Bool) {
        self.first = first
        self.second = second
        self.isAnd = isAnd
    }

    override var cost: Int { first.cost + second.cost / 2 }

    override var columnFilter: ColumnFilter? {
        guard let first = first.columnFilter, let second = second.columnFilter else { return nil }
        return isAnd ? .and(first, second) : .or(first, second)
    }

    override func isTrue(
        _ row: borrowing RowParts, _ id: UInt64
    ) throws(DaybookError) -> Bool {
        guard try first.isTrue(row, id) == isAnd else { return !isAnd }
        return try second.isTrue(row, id)
    }

    override func select(
        _ batch: borrowing RowBatch, _ shape: RowShape, _ rows: inout RowSelection
    ) throws(DaybookError) {
        guard isAnd else { return try super.select(batch, shape, &rows) }
        try first.select(batch, shape, &rows)
        if rows.count > 0 { try second.select(batch, shape, &rows) }
    }
}

final class NotTest: RowPredicate {
    private let inner: RowPredicate

    init(_ inner: RowPredicate) { self.inner = inner }

    override var cost: Int { inner.cost }

    override var columnFilter: ColumnFilter? { inner.columnFilter.map(\.inverted) }

    override func isTrue(
        _ row: borrowing RowParts, _ id: UInt64
    ) throws(DaybookError) -> Bool { try !inner.isTrue(row, id) }
}

/// A predicate that a closure evaluates. Only for predicates that do not depend on the speed of the
/// call.
final class ClosureTest: RowPredicate {
    typealias Body = (borrowing RowParts, _ id: UInt64) throws(DaybookError) -> Bool

    private let bodyCost: Int
    private let body: Body

    init(cost: Int, _ body: @escaping Body) {
        bodyCost = cost
        self.body = body
    }

    override var cost: Int { bodyCost }

    override func isTrue(
        _ row: borrowing RowParts, _ id: UInt64
    ) throws(DaybookError) -> Bool { try body(row, id) }
}
