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

/// Whether both predicates are true. More than two form a chain or a tree, so that no list is
/// iterated and nothing is retained.
final class AndTest: RowPredicate {
    private let first: RowPredicate
    private let second: RowPredicate

    init(_ first: RowPredicate, _ second: RowPredicate) {
        self.first = first
        self.second = second
    }

    override var cost: Int { first.cost + second.cost / 2 }

    override var columnFilter: ColumnFilter? {
        guard let first = first.columnFilter, let second = second.columnFilter else { return nil }
        return .and(first, second)
    }

    override func isTrue(
        _ row: borrowing RowParts, _ id: UInt64
    ) throws(DaybookError) -> Bool {
        guard try first.isTrue(row, id) else { return false }
        return try second.isTrue(row, id)
    }

    override func select(
        _ batch: borrowing RowBatch, _ shape: RowShape, _ rows: inout RowSelection
    ) throws(DaybookError) {
        try first.select(batch, shape, &rows)
        if rows.count > 0 { try second.select(batch, shape, &rows) }
    }
}

/// Whether at least one of two predicates is true.
final class OrTest: RowPredicate {
    private let first: RowPredicate
    private let second: RowPredicate

    init(_ first: RowPredicate, _ second: RowPredicate) {
        self.first = first
        self.second = second
    }

    override var cost: Int { first.cost + second.cost / 2 }

    override var columnFilter: ColumnFilter? {
        guard let first = first.columnFilter, let second = second.columnFilter else { return nil }
        return .or(first, second)
    }

    override func isTrue(
        _ row: borrowing RowParts, _ id: UInt64
    ) throws(DaybookError) -> Bool {
        if try first.isTrue(row, id) { return true }
        return try second.isTrue(row, id)
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

/// Whether the object's id is one of several.
final class IdTest: RowPredicate {
    private let ids: Set<UInt64>

    init(_ ids: [UInt64]) { self.ids = Set(ids) }

    override func isTrue(
        _ row: borrowing RowParts, _ id: UInt64
    ) throws(DaybookError) -> Bool { ids.contains(id) }
}

/// Whether the object's id is in a range.
final class IdRangeTest: RowPredicate {
    private let first: UInt64
    private let last: UInt64

    init(_ range: ClosedRange<UInt64>) {
        first = range.lowerBound
        last = range.upperBound
    }

    override func isTrue(
        _ row: borrowing RowParts, _ id: UInt64
    ) throws(DaybookError) -> Bool { id >= first && id <= last }
}
