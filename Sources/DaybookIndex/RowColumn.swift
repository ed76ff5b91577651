internal import DaybookBytes

/// A part of each row of a layout that can stand side by side with those of other rows.
package enum RowColumn: Hashable, Sendable {
    /// The field of a fixed width at an offset, as an unsigned number.
    case fixed(offset: Int, widthBytes: Int)
    /// 1 where the field at an index has no value, else 0.
    case null(field: Int)
    /// The first eight bytes of the field at a place among the variable ones, as a little-endian
    /// number; zeros behind fewer.
    case head(place: Int)

    /// How many bytes a value takes.
    package var widthBytes: Int {
        switch self {
        case .fixed(_, let width): width
        case .null: 1
        case .head: 8
        }
    }

    /// The value of a row. Throws `.corruption` where the row's offsets are wrong.
    @inline(__always)
    func value(_ row: borrowing RowParts) throws(DaybookError) -> UInt64 {
        switch self {
        case .fixed(let offset, let width):
            switch width {
            case 1: return UInt64(row.load(UInt8.self, at: offset))
            case 2: return UInt64(row.load(UInt16.self, at: offset))
            case 4: return UInt64(row.load(UInt32.self, at: offset))
            default: return row.load(UInt64.self, at: offset)
            }
        case .null(let field): return row.isNull(field) ? 1 : 0
        case .head(let place):
            let bytes = try row.variable(place)
            if let word = bytes.loadLittleEndian(UInt64.self, at: 0) { return word }
            var word: UInt64 = 0
            for index in 0..<bytes.count { word |= UInt64(bytes[index]) &<< UInt64(index &* 8) }
            return word
        }
    }
}

/// Which columns of a layout's rows are asked for.
package struct ColumnDemand: Sendable {
    let fixedLength: Int
    let variableCount: Int
    package let columns: [RowColumn]

    package init(_ columns: [RowColumn], of layout: RowLayout) {
        self.columns = columns
        fixedLength = layout.fixedLength
        variableCount = layout.variableCount
    }
}
