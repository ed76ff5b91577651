import DaybookBytes
import DaybookRecords

/// Copies columns of the rows of one leaf of the object tree. Rows may arrive in any order.
final class ColumnCopy {
    /// The ids of the objects, ascending.
    private let ids: [UInt64]
    /// The columns that were copied before.
    private let known: RowColumns?
    private var layout: UInt32 = 0
    private var columns: [RowColumn] = []
    private var values: [ColumnValues] = []
    /// The number of copied rows.
    private var count = 0
    private var isMixed = false
    private var isUseless = false
    /// The requested columns; nil before the first row.
    private(set) var demand: ColumnDemand?

    init(_ ids: [UInt64], adding known: RowColumns?) {
        self.ids = ids
        self.known = known
    }

    /// Copies columns of some rows of a batch. After an unreadable row, ``finish()`` returns nil,
    /// and the caller has to read the rows themselves.
    ///
    /// - Parameters:
    ///   - places: a reusable buffer.
    ///   - demand: the requested columns for a layout; nil for none.
    func take(
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

    /// Finds the indexes of some rows' objects among the ids, of which `count` were found before.
    /// Rows are usually in order. Returns false if an object is missing.
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

    /// The copied columns together with the earlier ones; nil if rows are missing.
    func finish() -> RowColumns? {
        if isMixed { return .mixed }
        guard !isUseless, count == ids.count else { return nil }
        if let known { return known.adding(columns, values) }
        return RowColumns(layout: layout, ids: ids, columns: columns, values: values)
    }
}
