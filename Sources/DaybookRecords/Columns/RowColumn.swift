internal import DaybookBytes

/// A part of each row of a layout that can stand side by side with those of other rows.
package enum RowColumn: Hashable, Sendable {
    /// The field of a fixed width at an offset, as an unsigned number.
    case fixed(offset: Int, widthBytes: Int)
    /// 1 where the field at an index has no value, else 0.
    case null(field: Int)
    /// The first eight bytes of a field at a place among the variable ones, as a little-endian
    /// number; zeros behind fewer, and where the field has no value.
    case head(place: Int, field: Int)

    /// Tells the column from all others of its layout: never 0, and less than 2³².
    private var number: UInt64 {
        switch self {
        case .fixed(let offset, _): UInt64(offset) << 2 | 1
        case .null(let field): UInt64(field) << 2 | 2
        case .head(_, let field): UInt64(field) << 2 | 3
        }
    }

    /// The same for the same columns of a layout in the same order and no others, so that they are
    /// compared at once; nil for more than two.
    static func signature(_ columns: [RowColumn]) -> UInt64? {
        columns.count > 2 ? nil : columns.reversed().reduce(0) { $0 << 32 | $1.number }
    }
}

/// Which columns of a layout's rows are asked for.
package struct ColumnDemand: Sendable {
    let fixedLength: Int
    let variableCount: Int
    package let columns: [RowColumn]
    /// Tells these columns from others of the layout, where it can.
    let signature: UInt64?

    package init(_ columns: [RowColumn], of layout: RowLayout) {
        self.columns = columns
        fixedLength = layout.fixedLength
        variableCount = layout.variableCount
        signature = RowColumn.signature(columns)
    }

    /// The parts of a row. Throws `.corruption` for bytes that are none.
    @inline(__always)
    @_lifetime(copy row)
    func parts(_ row: Span<UInt8>) throws(DaybookError) -> RowParts {
        try RowParts(row, fixedLength: fixedLength, variableCount: variableCount)
    }
}
