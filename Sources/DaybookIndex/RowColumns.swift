/// Values of many rows side by side, each in as many bytes as it needs.
package enum ColumnValues: Sendable {
    case bytes([UInt8])
    case halves([UInt16])
    case words([UInt32])
    case longs([UInt64])

    init(_ values: ArraySlice<UInt64>, widthBytes: Int) {
        switch widthBytes {
        case 1: self = .bytes(values.map { UInt8(truncatingIfNeeded: $0) })
        case 2: self = .halves(values.map { UInt16(truncatingIfNeeded: $0) })
        case 4: self = .words(values.map { UInt32(truncatingIfNeeded: $0) })
        default: self = .longs(Array(values))
        }
    }
}

/// What was copied of the rows that a page of the objects' tree leads to, so that the next scan
/// need not look for them.
///
/// It holds no rows: whoever needs more than the columns goes to the page's entries.
package final class RowColumns: Sendable {
    /// What the arrays cost beside their values.
    private static let overheadBytes = 40

    /// The layout of all rows; 0 where there is none that all have.
    package let layout: UInt32
    /// The objects that the rows are of, ascending.
    package let ids: [UInt64]
    private let columns: [RowColumn]
    private let values: [ColumnValues]

    init(layout: UInt32, ids: [UInt64], columns: [RowColumn], values: [ColumnValues]) {
        self.layout = layout
        self.ids = ids
        self.columns = columns
        self.values = values
    }

    /// Of rows of several layouts, whose columns say different things.
    static let mixed = RowColumns(layout: 0, ids: [], columns: [], values: [])

    /// Whether nothing can be copied of the rows, for their layouts differ.
    package var isMixed: Bool { self === Self.mixed }

    /// The values of a column in the order of the ids; nil where it was not copied.
    package func values(_ column: RowColumn) -> ColumnValues? {
        columns.firstIndex(of: column).map { values[$0] }
    }

    /// Whether all of the columns were copied, or there are no rows.
    package func has(_ wanted: [RowColumn]) -> Bool {
        ids.isEmpty || wanted.allSatisfy { columns.contains($0) }
    }

    /// The columns of those that were asked for.
    package func only(_ wanted: [RowColumn]) -> RowColumns {
        let kept = columns.indices.filter { wanted.contains(columns[$0]) }
        return RowColumns(
            layout: layout, ids: ids, columns: kept.map { columns[$0] },
            values: kept.map { values[$0] })
    }

    /// Those columns, and others of the same rows.
    func adding(_ columns: [RowColumn], _ values: [ColumnValues]) -> RowColumns {
        RowColumns(
            layout: layout, ids: ids, columns: self.columns + columns, values: self.values + values)
    }

    /// How much memory it takes, about.
    package var byteCount: Int {
        let rowBytes = columns.reduce(8) { $0 + $1.widthBytes }
        return ids.count * rowBytes + (columns.count + 2) * Self.overheadBytes
    }
}
