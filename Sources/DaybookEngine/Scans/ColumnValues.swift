import DaybookBytes
import DaybookRecords

/// The values of one column, each in the width of the column.
package enum ColumnValues: Sendable {
    case bytes([UInt8])
    case halves([UInt16])
    case words([UInt32])
    case longs([UInt64])

    static var none: ColumnValues { .bytes([]) }

    /// Creates `count` zeros.
    init(_ column: RowColumn, count: Int) {
        switch column {
        case .fixed(_, 1), .null: self = .bytes([UInt8](repeating: 0, count: count))
        case .fixed(_, 2): self = .halves([UInt16](repeating: 0, count: count))
        case .fixed(_, 4): self = .words([UInt32](repeating: 0, count: count))
        case .fixed, .head: self = .longs([UInt64](repeating: 0, count: count))
        }
    }

    /// The approximate memory use in bytes.
    var byteCount: Int {
        let overheadBytes = 48
        return switch self {
        case .bytes(let values): values.count + overheadBytes
        case .halves(let values): values.count * 2 + overheadBytes
        case .words(let values): values.count * 4 + overheadBytes
        case .longs(let values): values.count * 8 + overheadBytes
        }
    }

    /// Copies the values of some rows of a batch. There is one loop per kind of column, so that the
    /// loop over rows has no branch on the kind.
    mutating func copy(
        _ column: RowColumn, _ batch: borrowing RowBatch, _ rows: Range<Int>,
        _ demand: ColumnDemand, to places: Span<Int>
    ) throws(DaybookError) {
        var values = ColumnValues.none
        swap(&values, &self)
        switch (column, consume values) {
        case (.fixed(let offset, _), .bytes(var array)):
            try Self.copy(batch, rows, demand, to: &array, at: places) {
                (row) throws(DaybookError) in row.load(at: offset)
            }
            self = .bytes(array)
        case (.fixed(let offset, _), .halves(var array)):
            try Self.copy(batch, rows, demand, to: &array, at: places) {
                (row) throws(DaybookError) in row.load(at: offset)
            }
            self = .halves(array)
        case (.fixed(let offset, _), .words(var array)):
            try Self.copy(batch, rows, demand, to: &array, at: places) {
                (row) throws(DaybookError) in row.load(at: offset)
            }
            self = .words(array)
        case (.fixed(let offset, _), .longs(var array)):
            try Self.copy(batch, rows, demand, to: &array, at: places) {
                (row) throws(DaybookError) in row.load(at: offset)
            }
            self = .longs(array)
        case (.null(let field), .bytes(var array)):
            try Self.copy(batch, rows, demand, to: &array, at: places) {
                (row) throws(DaybookError) in row.isNull(field) ? 1 : 0
            }
            self = .bytes(array)
        case (.head(let place, let field), .longs(var array)):
            try Self.copy(batch, rows, demand, to: &array, at: places) {
                (row) throws(DaybookError) in try row.head(place, field)
            }
            self = .longs(array)
        default: assertionFailure("values of another width than the column's")
        }
    }

    @inline(__always)
    private static func copy<Value>(
        _ batch: borrowing RowBatch, _ rows: Range<Int>, _ demand: ColumnDemand,
        to values: inout [Value], at places: Span<Int>,
        _ value: (borrowing RowParts) throws(DaybookError) -> Value
    ) throws(DaybookError) {
        var values = values.mutableSpan
        for index in 0..<rows.count {
            let row = try demand.parts(batch.row(rows.lowerBound &+ index))
            values[places[index]] = try value(row)
        }
    }
}

extension RowParts {
    /// The first eight bytes of a variable field, padded with zeros; zero without a value.
    @inline(__always)
    fileprivate func head(_ place: Int, _ field: Int) throws(DaybookError) -> UInt64 {
        if isNull(field) { return 0 }
        let bytes = try variable(place)
        if let word = bytes.loadLittleEndian(UInt64.self, at: 0) { return word }
        var word: UInt64 = 0
        for index in 0..<bytes.count { word |= UInt64(bytes[index]) &<< UInt64(index &* 8) }
        return word
    }
}
