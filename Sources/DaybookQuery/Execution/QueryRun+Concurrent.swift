import DaybookBytes
import DaybookEngine
import DaybookRecords

// Scans of all objects, on several threads if that pays.
extension QueryRun {
    /// The state of one thread. A class with constants, so that no row costs a reference count.
    private final class Part {
        private let judge: RowEvaluator
        private let isJudging: Bool
        private let keys: OrderKeys
        private(set) var sort: RowSort
        /// The buffer for the key of a row. It is reused, so that few rows allocate.
        private var key: [UInt8] = []
        var ids: [UInt64] = []
        private let access: QueryAccess
        private(set) var count = 0
        private(set) var seen = 0
        private var selection = RowSelection()
        private let condition: BoundCondition
        /// The evaluator for the layout of the last columns.
        private var columnJudge: ColumnEvaluator?

        init(_ path: AccessPath, _ access: QueryAccess, _ orders: [BoundOrder], _ limit: Int?) {
            self.access = access
            condition = path.residual
            judge = RowEvaluator(path.residual, access, entity: path.entity)
            isJudging = path.residual != .always(true)
            keys = OrderKeys(orders, access)
            sort = RowSort(limit: limit)
        }

        /// Selects the matching rows of a batch.
        func select(_ batch: borrowing RowBatch) throws -> RowSelection {
            try access.checkCancellation()
            seen &+= batch.count
            selection.selectAll(batch)
            if isJudging { try judge.select(batch, &selection) }
            count &+= selection.count
            return selection
        }

        /// Counts the matching rows of a column batch, and collects their ids if `gathersIds` is
        /// true.
        func judge(_ columns: RowColumns, gathersIds: Bool) throws {
            try access.checkCancellation()
            if columnJudge?.layout != columns.layout {
                columnJudge = ColumnEvaluator(condition, columns.layout, access)
            }
            guard let columnJudge else { return }
            seen &+= columns.count
            count &+= columnJudge.judge(columns)
            if gathersIds { columnJudge.append(columns, to: &ids) }
        }

        func sort(_ row: Span<UInt8>, _ layout: UInt32, _ id: UInt64) throws {
            key.removeAll(keepingCapacity: true)
            try keys.append(row, layout: layout, id: id, to: &key)
            sort.insert(key, id)
        }
    }

    /// The column scan that replaces reading rows; nil if the condition needs the rows.
    private func columnScan(_ path: AccessPath, gathersIds: Bool) -> ColumnScan<Part>? {
        guard let demands = ColumnDemands(path.residual, of: path.entity, access) else {
            return nil
        }
        return ColumnScan(demand: { demands[$0] }) { part, columns in
            try part.judge(columns, gathersIds: gathersIds)
            return true
        }
    }

    /// The number of objects that a scan finds; nil if the path is not a scan.
    func scannedCount(_ path: AccessPath) throws -> Int? {
        guard case .scan(let ids) = path.kind else { return nil }
        let parts = try access.scanConcurrently(
            path.entity, ids: ids, inOrder: false, columns: columnScan(path, gathersIds: false),
            { Part(path, access, [], 0) }
        ) { part, batch in
            _ = try part.select(batch)
            return true
        }
        let count = parts.reduce(0) { $0 + $1.count }
        note(count, at: path.number, rowCount: parts.reduce(0) { $0 + $1.seen })
        return count
    }

    /// The ids of the objects that a scan finds, ascending; nil if the path is not a scan.
    func scannedIds(_ path: AccessPath) throws -> [UInt64]? {
        guard case .scan(let ids) = path.kind else { return nil }
        let columns = columnScan(path, gathersIds: true)
        let parts = try access.scanConcurrently(
            path.entity, ids: ids, inOrder: columns == nil, columns: columns,
            { Part(path, access, [], 0) }
        ) { part, batch in
            let rows = try part.select(batch)
            for index in 0..<rows.count { part.ids.append(batch.id(rows[index])) }
            return true
        }
        // Each part is sorted, or nearly, and precedes the next part.
        let sorted = parts.map { columns == nil ? $0.ids : $0.ids.ascending() }
        let found = sorted.count == 1 ? sorted[0] : sorted.flatMap { $0 }
        note(found.count, at: path.number, rowCount: parts.reduce(0) { $0 + $1.seen })
        return found
    }

    /// The ids of the first objects that a scan finds in an order; nil if the path is not a scan.
    func scannedIds(
        _ path: AccessPath, by orders: [BoundOrder], limit: Int?
    ) throws -> [UInt64]? {
        guard case .scan(let ids) = path.kind else { return nil }
        let parts = try access.scanConcurrently(
            path.entity, ids: ids, inOrder: false, { Part(path, access, orders, limit) }
        ) { part, batch in
            let rows = try part.select(batch)
            for index in 0..<rows.count {
                let place = rows[index]
                try part.sort(batch.row(place), batch.layout, batch.id(place))
            }
            return true
        }
        var sort = RowSort(limit: limit)
        for part in parts { sort.insert(part.sort) }
        note(
            parts.reduce(0) { $0 + $1.count }, at: path.number,
            rowCount: parts.reduce(0) { $0 + $1.seen })
        return sort.ids()
    }
}
