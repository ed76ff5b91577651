internal import DaybookBytes

/// Copies columns of the rows that a page of the objects' tree leads to, in whichever order they
/// come.
package final class ColumnCopy {
    /// The objects, ascending, whose rows have to come.
    private let ids: [UInt64]
    /// What was copied of them before.
    private let known: RowColumns?
    private var layout: UInt32 = 0
    private var columns: [RowColumn] = []
    private var values: [ColumnValues] = []
    /// How many rows have come.
    private var count = 0
    private var isMixed = false
    private var isUseless = false
    /// What is asked for; nil before the first row.
    package private(set) var demand: ColumnDemand?

    package init(_ ids: [UInt64], adding known: RowColumns?) {
        self.ids = ids
        self.known = known
    }

    /// Copies of some rows of a batch, which are of the objects. What cannot be read is left to
    /// whoever reads the rows themselves; then ``finish()`` returns nil.
    ///
    /// - Parameters:
    ///   - places: memory to be used again.
    ///   - demand: what is wanted of rows of a layout; nil for nothing.
    package func take(
        _ batch: borrowing RowBatch, _ range: Range<Int>, _ places: inout [Int],
        _ demand: (UInt32) -> ColumnDemand?
    ) {
        guard !isUseless, !isMixed else { return }
        if layout == 0 {
            begin(batch.layout, demand)
        } else if layout != batch.layout {
            isMixed = true
        }
        guard !isUseless, !isMixed, let wanted = self.demand else { return }
        while places.count < range.count { places.append(0) }
        guard Self.find(batch, range, ids, count, &places) else {
            isUseless = true
            return
        }
        count += range.count
        do throws(DaybookError) {
            for column in columns.indices {
                try values[column].copy(
                    columns[column], batch, range, wanted, to: places.span)
            }
        } catch {
            isUseless = true
        }
    }

    private func begin(_ layout: UInt32, _ demand: (UInt32) -> ColumnDemand?) {
        self.layout = layout
        guard let wanted = demand(layout) else {
            isUseless = true
            return
        }
        self.demand = wanted
        columns = known?.missing(wanted.columns) ?? wanted.columns
        values = columns.map { ColumnValues($0, count: ids.count) }
    }

    /// Where the objects of some rows are among the ids, of which `count` came before: most often
    /// they come in order. False where one is not there.
    private static func find(
        _ batch: borrowing RowBatch, _ range: Range<Int>, _ ids: [UInt64], _ count: Int,
        _ places: inout [Int]
    ) -> Bool {
        let ids = ids.span
        var places = places.mutableSpan
        for index in 0..<range.count {
            let id = batch.id(range.lowerBound &+ index)
            let next = count &+ index
            if next < ids.count, ids[next] == id {
                places[index] = next
                continue
            }
            var (low, high) = (0, ids.count)
            while low < high {
                let middle = (low + high) / 2
                if ids[middle] < id { low = middle + 1 } else { high = middle }
            }
            guard low < ids.count, ids[low] == id else { return false }
            places[index] = low
        }
        return true
    }

    /// What was copied, with what was known before; nil where not all rows have come.
    package func finish() -> RowColumns? {
        if isMixed { return .mixed }
        guard !isUseless, count == ids.count else { return nil }
        if let known { return known.adding(columns, values) }
        return RowColumns(layout: layout, ids: ids, columns: columns, values: values)
    }
}
