import DaybookBytes
import DaybookRecords

/// A condition, worked out for rows of one layout. This one is always false.
class RowPredicate {
    /// About how long it takes, in nanoseconds: the cheap ones are asked first.
    var cost: Int { 1 }

    /// The same of columns of the rows; nil where it needs the rows themselves.
    var columnFilter: ColumnFilter? { type(of: self) == RowPredicate.self ? .always(false) : nil }

    func isTrue(_ row: borrowing RowParts, _ id: UInt64) throws(DaybookError) -> Bool { false }

    /// Leaves of some rows those that it is true of. Tests that take a few nanoseconds say it
    /// themselves, so that no row costs a call.
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

/// Both are true. More than two are a chain or a tree: no list is walked, and nothing retained.
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

/// One of two is true.
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

/// The object's id is one of some.
final class IdTest: RowPredicate {
    private let ids: Set<UInt64>

    init(_ ids: [UInt64]) { self.ids = Set(ids) }

    override func isTrue(
        _ row: borrowing RowParts, _ id: UInt64
    ) throws(DaybookError) -> Bool { ids.contains(id) }
}

/// The object's id is in a range.
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
