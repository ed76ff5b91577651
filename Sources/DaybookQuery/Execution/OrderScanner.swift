import DaybookBytes
import DaybookEngine
import DaybookRecords

/// Scans an index for the first objects in the order of a run.query.
struct OrderScanner {
    /// The number of rows per read. The first reads are small, because the first rows may suffice.
    private static let pageLengthMin = 8
    private static let pageLengthMax = 256

    private let run: QueryRun
    private let walk: OrderScan

    init(_ run: QueryRun, _ walk: OrderScan) {
        self.run = run
        self.walk = walk
    }

    /// The ids of the first objects, in order; nil if the scan became so long that another plan is
    /// cheaper.
    func ids() throws -> [UInt64]? {
        let keys = OrderKeys(run.query.orders, run.access)
        var sort = RowSort(limit: run.query.needed)
        try addUnlisted(keys, &sort)
        let judge =
            walk.residual == .always(true)
            ? nil : RowEvaluator(walk.residual, run.access, entity: walk.entity)
        let unlisted = Set(walk.unlisted)
        var seen = 0
        var pageLength = Self.pageLengthMin
        var last = RowSort.Entry(key: [], id: 0)
        var isDone = false
        // The index stores longer keys truncated, so their order is unknown.
        var hasLongKey = false
        let keyLengthMax = IndexKey.lengthMax - (walk.spans.first?.from.count ?? 0)
        for span in walk.spans where !isDone {
            try run.access.forEachId(
                walk.index, from: span.from, before: span.before, isDescending: walk.isDescending
            ) { ids in
                try run.access.checkCancellation()
                var rest = (unlisted.isEmpty ? ids : ids.filter { !unlisted.contains($0) })[...]
                while !rest.isEmpty, !isDone {
                    let page = Array(rest.prefix(pageLength))
                    rest = rest.dropFirst(pageLength)
                    pageLength = min(pageLength * 2, Self.pageLengthMax)
                    try run.access.forEachRow(walk.entity, page) { row, layout, id in
                        last.key.removeAll(keepingCapacity: true)
                        try keys.append(row, layout: layout, id: id, to: &last.key)
                        hasLongKey = hasLongKey || last.key.count >= keyLengthMax
                        last.id = id
                        if try judge?.isTrue(of: row, layout: layout, id: id) ?? true {
                            sort.insert(last.key, id)
                        }
                        return true
                    }
                    seen += page.count
                    isDone =
                        hasLongKey || sort.isClosed(to: last, tiesAreInOrder: walk.hasTiesInOrder)
                        || seen > walk.rowCountMax ?? .max
                }
                return !isDone
            }
        }
        if hasLongKey { return nil }
        run.note(seen, at: walk.number, rowCount: seen + walk.unlisted.count)
        if seen > walk.rowCountMax ?? .max,
            !sort.isClosed(to: last, tiesAreInOrder: walk.hasTiesInOrder)
        {
            return nil
        }
        return sort.ids()
    }

    private func addUnlisted(_ keys: OrderKeys, _ sort: inout RowSort) throws {
        guard !walk.unlisted.isEmpty else { return }
        let judge = RowEvaluator(run.query.condition, run.access, entity: walk.entity)
        var sorted = sort
        try run.access.forEachRow(walk.entity, walk.unlisted) { row, layout, id in
            guard try judge.isTrue(of: row, layout: layout, id: id) else { return true }
            var key: [UInt8] = []
            try keys.append(row, layout: layout, id: id, to: &key)
            sorted.insert(key, id)
            return true
        }
        sort = sorted
    }
}
