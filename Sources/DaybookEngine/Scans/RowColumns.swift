/// Copied columns of the rows of one leaf of the object tree, so that the next scan does not have
/// to find the rows.
///
/// It contains no rows: a reader that needs more than the columns uses the entries of the leaf. A
/// scan visits very many of these objects, and each costs cache misses, so the first two columns
/// are stored inline.
package final class RowColumns: Sendable {
    /// The common layout of all rows; 0 if there is none.
    package let layout: UInt32
    /// The number of rows.
    package let count: Int
    /// Identifies the columns within the layout; nil for more than two columns.
    private let signature: UInt64?
    private let first: ColumnValues
    private let second: ColumnValues
    private let others: [ColumnValues]
    private let columns: [RowColumn]
    /// The ids of the rows' objects, ascending.
    package let ids: [UInt64]

    init(layout: UInt32, ids: [UInt64], columns: [RowColumn], values: [ColumnValues]) {
        self.layout = layout
        count = ids.count
        self.ids = ids
        self.columns = columns
        signature = RowColumn.signature(columns)
        first = values.first ?? .none
        second = values.count > 1 ? values[1] : .none
        others = Array(values.dropFirst(2))
    }

    /// A marker for rows of several layouts, which have no common columns.
    static let mixed = RowColumns(layout: 0, ids: [], columns: [], values: [])

    /// Whether the rows have several layouts, so that no columns can be copied.
    package var isMixed: Bool { self === Self.mixed }

    /// The values of the column at an index.
    private func values(at place: Int) -> ColumnValues {
        switch place {
        case 0: first
        case 1: second
        default: others[place - 2]
        }
    }

    /// The values of the column at an index of a demand, in the order of the ids; nil if it was not
    /// copied.
    @inline(__always)
    package func values(_ place: Int, of demand: ColumnDemand) -> ColumnValues? {
        if isThat(of: demand) { return values(at: place) }
        return columns.firstIndex(of: demand.columns[place]).map { values(at: $0) }
    }

    /// Whether the signatures show that the columns are those of a demand.
    @inline(__always)
    private func isThat(of demand: ColumnDemand) -> Bool {
        signature != nil && signature == demand.signature
    }

    /// Whether all columns of a demand were copied, or there are no rows.
    @inline(__always)
    package func has(_ demand: ColumnDemand) -> Bool {
        isThat(of: demand) || count == 0
            || demand.columns.allSatisfy { columns.contains($0) }
    }

    /// The same rows, reduced to the columns of a demand.
    package func only(_ demand: ColumnDemand) -> RowColumns {
        let kept = columns.indices.filter { demand.columns.contains(columns[$0]) }
        return RowColumns(
            layout: layout, ids: ids, columns: kept.map { columns[$0] },
            values: kept.map { values(at: $0) })
    }

    /// The columns among `wanted` that were not copied.
    func missing(_ wanted: [RowColumn]) -> [RowColumn] { wanted.filter { !columns.contains($0) } }

    /// The same rows with additional columns.
    func adding(_ columns: [RowColumn], _ values: [ColumnValues]) -> RowColumns {
        let all = self.columns + columns
        return RowColumns(
            layout: layout, ids: ids, columns: all,
            values: self.columns.indices.map { self.values(at: $0) } + values)
    }

    /// The approximate memory use in bytes.
    package var byteCount: Int {
        let overheadBytes = 160
        return columns.indices.reduce(overheadBytes + count * 8) {
            $0 + values(at: $1).byteCount
        }
    }
}
