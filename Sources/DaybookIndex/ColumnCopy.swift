internal import DaybookBytes

/// Copies columns of the rows that a page of the objects' tree leads to, in whichever order they
/// come.
package final class ColumnCopy {
    /// The objects, ascending, whose rows have to come.
    package let ids: [UInt64]
    /// What was copied of them before.
    private let known: RowColumns?
    private var layout: UInt32 = 0
    private var columns: [RowColumn] = []
    private var demand: ColumnDemand?
    /// Column after column.
    private var values: [UInt64] = []
    private var count = 0
    private var isMixed = false
    private var isUseless = false

    package init(_ ids: [UInt64], adding known: RowColumns?) {
        self.ids = ids
        self.known = known
    }

    /// The columns that are asked for.
    package var wanted: [RowColumn] { demand?.columns ?? [] }

    /// Copies of some rows of a batch, which are of the objects. What cannot be read is left to
    /// whoever reads the rows themselves; then ``finish()`` returns nil.
    ///
    /// - Parameter demand: what is wanted of rows of a layout; nil for nothing.
    package func take(
        _ batch: borrowing RowBatch, _ range: Range<Int>, _ demand: (UInt32) -> ColumnDemand?
    ) {
        guard !isUseless, !isMixed else { return }
        if layout == 0 {
            begin(batch.layout, demand)
        } else if layout != batch.layout {
            isMixed = true
        }
        guard !isUseless, !isMixed, let wanted = self.demand else { return }
        // In variables of this call, so that no row costs a look at whether another writes to them.
        var copied: [UInt64] = []
        swap(&copied, &values)
        do throws(DaybookError) {
            count = try Self.copy(batch, range, wanted, columns, ids, count, to: &copied)
        } catch {
            isUseless = true
        }
        swap(&copied, &values)
    }

    /// Copies the columns of some rows, of which `count` came before; returns how many have come.
    private static func copy(
        _ batch: borrowing RowBatch, _ range: Range<Int>, _ wanted: ColumnDemand,
        _ columns: [RowColumn], _ ids: [UInt64], _ count: Int, to values: inout [UInt64]
    ) throws(DaybookError) -> Int {
        var values = values.mutableSpan
        let columns = columns.span
        let ids = ids.span
        var count = count
        for index in range {
            let place = place(of: batch.id(index), in: ids, count)
            guard place < ids.count else { continue }
            let row = try RowParts(
                batch.row(index), fixedLength: wanted.fixedLength,
                variableCount: wanted.variableCount)
            var target = place
            for column in columns.indices {
                values[target] = try columns[column].value(row)
                target &+= ids.count
            }
            count &+= 1
        }
        return count
    }

    private func begin(_ layout: UInt32, _ demand: (UInt32) -> ColumnDemand?) {
        self.layout = layout
        guard let wanted = demand(layout) else {
            isUseless = true
            return
        }
        self.demand = wanted
        columns = wanted.columns.filter { known?.values($0) == nil }
        values = [UInt64](repeating: 0, count: columns.count * ids.count)
    }

    /// Where an object is among the ids: most often the next one comes.
    @inline(__always)
    private static func place(of id: UInt64, in ids: Span<UInt64>, _ count: Int) -> Int {
        if count < ids.count, ids[count] == id { return count }
        var (low, high) = (0, ids.count)
        while low < high {
            let middle = (low + high) / 2
            if ids[middle] < id { low = middle + 1 } else { high = middle }
        }
        return low < ids.count && ids[low] == id ? low : ids.count
    }

    /// What was copied, with what was known before; nil where not all rows have come.
    package func finish() -> RowColumns? {
        if isMixed { return .mixed }
        guard !isUseless, count == ids.count else { return nil }
        let copied = columns.enumerated().map { index, column in
            ColumnValues(
                values[index * ids.count..<(index + 1) * ids.count], widthBytes: column.widthBytes)
        }
        if let known { return known.adding(columns, copied) }
        return RowColumns(layout: layout, ids: ids, columns: columns, values: copied)
    }
}
