/// What was copied of the rows that a page of the objects' tree leads to, so that the next scan
/// need not look for them.
///
/// It holds no rows: whoever needs more than the columns goes to the page's entries. A scan comes
/// by very many of these, each of which is a few lines of memory to wait for, so the first columns
/// stand in the object itself.
package final class RowColumns: Sendable {
    /// The layout of all rows; 0 where there is none that all have.
    package let layout: UInt32
    /// How many rows there are.
    package let count: Int
    /// Tells the columns from others of the layout, where it can.
    private let signature: UInt64?
    private let first: ColumnValues
    private let second: ColumnValues
    private let others: [ColumnValues]
    private let columns: [RowColumn]
    /// The objects that the rows are of, ascending.
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

    /// Of rows of several layouts, whose columns say different things.
    static let mixed = RowColumns(layout: 0, ids: [], columns: [], values: [])

    /// Whether nothing can be copied of the rows, for their layouts differ.
    package var isMixed: Bool { self === Self.mixed }

    /// The values at a place among the columns.
    private func values(at place: Int) -> ColumnValues {
        switch place {
        case 0: first
        case 1: second
        default: others[place - 2]
        }
    }

    /// The values of one of the columns of a demand, by its place there, in the order of the ids;
    /// nil where it was not copied.
    @inline(__always)
    package func values(_ place: Int, of demand: ColumnDemand) -> ColumnValues? {
        if isThat(of: demand) { return values(at: place) }
        return columns.firstIndex(of: demand.columns[place]).map { values(at: $0) }
    }

    /// Whether the columns are known at once to be those of a demand.
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

    /// The same rows with the columns of a demand that were copied, and no others.
    package func only(_ demand: ColumnDemand) -> RowColumns {
        let kept = columns.indices.filter { demand.columns.contains(columns[$0]) }
        return RowColumns(
            layout: layout, ids: ids, columns: kept.map { columns[$0] },
            values: kept.map { values(at: $0) })
    }

    /// Which of some columns were not copied.
    func missing(_ wanted: [RowColumn]) -> [RowColumn] { wanted.filter { !columns.contains($0) } }

    /// Those columns, and others of the same rows.
    func adding(_ columns: [RowColumn], _ values: [ColumnValues]) -> RowColumns {
        let all = self.columns + columns
        return RowColumns(
            layout: layout, ids: ids, columns: all,
            values: self.columns.indices.map { self.values(at: $0) } + values)
    }

    /// How much memory it takes, about.
    package var byteCount: Int {
        let overheadBytes = 160
        return columns.indices.reduce(overheadBytes + count * 8) {
            $0 + values(at: $1).byteCount
        }
    }
}
