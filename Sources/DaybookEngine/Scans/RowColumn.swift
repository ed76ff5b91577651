import DaybookBytes
package import DaybookRecords

/// A part of each row of a layout that can be stored as a column.
package enum RowColumn: Hashable, Sendable {
    /// The fixed-width field at an offset, as an unsigned number.
    case fixed(offset: Int, widthBytes: Int)
    /// 1 if the field at an index is null, else 0.
    case null(field: Int)
    /// The first eight bytes of a variable field, as a little-endian number; padded with zeros, and
    /// zero if the field is null.
    case head(place: Int, field: Int)

    /// A number that identifies the column within its layout: never 0, and less than 2³².
    private var number: UInt64 {
        switch self {
        case .fixed(let offset, _): UInt64(offset) << 2 | 1
        case .null(let field): UInt64(field) << 2 | 2
        case .head(_, let field): UInt64(field) << 2 | 3
        }
    }

    /// A number that identifies a list of columns within their layout, for a fast comparison; nil
    /// for more than two columns.
    static func signature(_ columns: [RowColumn]) -> UInt64? {
        columns.count > 2 ? nil : columns.reversed().reduce(0) { $0 << 32 | $1.number }
    }
}

/// The requested columns of a layout's rows.
package struct ColumnDemand: Sendable {
    let fixedLength: Int
    let variableCount: Int
    package let columns: [RowColumn]
    /// Identifies these columns within the layout; nil for more than two columns.
    let signature: UInt64?

    package init(_ columns: [RowColumn], of layout: RowLayout) {
        self.columns = columns
        fixedLength = layout.fixedLength
        variableCount = layout.variableCount
        signature = RowColumn.signature(columns)
    }

    /// The parts of a row. Throws `.corruption` for invalid bytes.
    @inline(__always)
    @_lifetime(copy row)
    func parts(_ row: Span<UInt8>) throws(DaybookError) -> RowParts {
        try RowParts(row, fixedLength: fixedLength, variableCount: variableCount)
    }
}
