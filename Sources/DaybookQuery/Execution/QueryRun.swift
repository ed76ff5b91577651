import DaybookBytes
import DaybookEngine
import DaybookRecords

/// One run of a query over one version: executes its plan. For one thread.
final class QueryRun {
    let query: QueryRunner
    let access: QueryAccess
    /// The search for nearest neighbours, if the query has one. The query is then that for the
    /// objects found.
    let nearestRun: NearestRun?
    /// The plan; its index scan is removed if it became too long.
    private(set) var plan: QueryPlan
    let truth: IndexCompleteness
    /// The number of ids, or of matching rows, that each path produced, by path number.
    private(set) var counts: [Int: Int] = [:]
    /// The number of rows that were read.
    private(set) var rowCount = 0

    init(_ query: QueryRunner, _ access: QueryAccess, reads: QueryReads) throws {
        nearestRun = try query.nearest.map { try NearestRun(query, $0, access) }
        let query = nearestRun.map { query.found($0.neighbors) } ?? query
        self.query = query
        self.access = access
        let planner = Planner(query, access)
        plan = try planner.plan(reads)
        truth = planner.truth
    }

    /// Records the number of objects that a path produced, and the number of rows read for it.
    func note(_ count: Int, at number: Int, rowCount: Int = 0) {
        counts[number, default: 0] += count
        self.rowCount += rowCount
    }

    private var offset: Int { query.definition.offset }
    private var limit: Int? { query.definition.limit }

    /// The objects of a search for nearest neighbours, if they are in the order of their distances.
    private var ranking: [UInt64]? { query.orders.isEmpty ? query.ranking : nil }

    /// The ids of the result, in its order.
    func ids() throws -> [UInt64] {
        if query.definition.limit == 0 { return [] }
        if let ranking, query.distinct.isEmpty { return cut(ranking) }
        if let walk = plan.walk {
            if let ids = try OrderScanner(self, walk).ids() { return cut(ids) }
            plan.walk = nil
        }
        if !query.distinct.isEmpty { return cut(try distinctIds()) }
        if query.isInOrderOfIds { return cut(try idsInTheirOrder()) }
        return cut(try sortedIds())
    }

    /// The number of objects in the result.
    func count() throws -> Int {
        if limit == 0 { return 0 }
        var count = 0
        if !query.distinct.isEmpty {
            count = try distinctIds().count
        } else if let ranking = query.ranking {
            count = ranking.count
        } else if let exact = try exactCount() {
            count = exact
        } else if let needed = query.needed {
            try forEachMatch(plan.path) { _, _, _ in
                count += 1
                return count < needed
            }
        } else if let scanned = try scannedCount(plan.path) {
            count = scanned
        } else {
            try forEachMatch(plan.path, inOrder: false) { _, _, _ in
                count += 1
                return true
            }
        }
        return min(max(0, count - offset), limit ?? .max)
    }

    /// Calls `body` with each row until it returns false.
    func forEachRow(_ body: (StoredRow) throws -> Bool) throws {
        if limit == 0 { return }
        if case .scan(let range) = plan.path.kind, query.distinct.isEmpty, query.isInOrderOfIds,
            query.ranking == nil, access.view != nil
        {
            return try forEachScannedRow(range, body)
        }
        _ = try give(try ids(), body)
    }

    /// Reads pages of ids, so that the first row does not wait for the last. Only for versions: in
    /// a transaction, `body` could keep adding matching objects.
    private func forEachScannedRow(
        _ range: ClosedRange<UInt64>, _ body: (StoredRow) throws -> Bool
    ) throws {
        var path = plan.path
        var (skipped, given) = (0, 0)
        var pageLength = 32
        while given < limit ?? .max {
            var page: [UInt64] = []
            let wanted = min(pageLength, (limit ?? .max) - given)
            try forEachMatch(path) { _, _, id in
                if skipped < offset { skipped += 1 } else { page.append(id) }
                return page.count < wanted
            }
            guard let last = page.last, try give(page, body) else { return }
            given += page.count
            guard page.count == wanted, last < range.upperBound else { return }
            path.kind = .scan(last + 1...range.upperBound)
            pageLength = min(pageLength * 4, 2048)
        }
    }

    /// Returns false if `body` returned false.
    private func give(_ ids: [UInt64], _ body: (StoredRow) throws -> Bool) throws -> Bool {
        var rest = ids[...]
        // A transaction may change the following rows, so they are not read ahead.
        let isVersion = access.view != nil
        var pageLength = isVersion ? 32 : 1
        while !rest.isEmpty {
            try access.checkCancellation()
            for row in try access.scope.rows(query.entity, Array(rest.prefix(pageLength))) {
                if try !body(row) { return false }
            }
            rest = rest.dropFirst(pageLength)
            if isVersion { pageLength = min(pageLength * 2, 512) }
        }
        return true
    }

    private func cut(_ ids: [UInt64]) -> [UInt64] {
        if offset == 0, ids.count <= limit ?? .max { return ids }
        return Array(ids.dropFirst(offset).prefix(limit ?? .max))
    }

    /// The number of objects of an exact path; nil for other paths.
    private func exactCount() throws -> Int? {
        let path = plan.path
        guard path.isExact else { return nil }
        switch path.kind {
        case .scan(0...UInt64.max):
            let count = try access.scope.count(query.entity)
            note(count, at: path.number)
            return count
        case .scan: return nil
        case .keys(let index, let spans, let use) where use != .word:
            guard try truth.isTold(by: index, of: path.entity) else { break }
            var count = 0
            for span in spans {
                count += try access.count(
                    index, from: span.from, before: span.before, limit: .max)
            }
            note(count, at: path.number)
            return count
        default: break
        }
        return try matches(path).count
    }

    private func idsInTheirOrder() throws -> [UInt64] {
        guard let needed = query.needed else { return try matches(plan.path) }
        if plan.path.isExact {
            if case .scan = plan.path.kind {} else { return try matches(plan.path) }
        }
        var ids: [UInt64] = []
        try forEachMatch(plan.path) { _, _, id in
            ids.append(id)
            return ids.count < needed
        }
        return ids
    }

    private func sortedIds() throws -> [UInt64] {
        let needed = query.needed
        let hasRelevance = query.orders.contains { $0.key == .relevance }
        if !hasRelevance,
            let ids = try scannedIds(plan.path, by: query.orders, limit: needed)
        {
            return ids
        }
        var sort = RowSort(limit: needed)
        try SortKeys(query, access).forEach(plan.path, of: self) { entry, _ in
            sort.insert(entry.key, entry.id)
        }
        return sort.ids()
    }

    /// The first object, in the order of the query, of each set of equal distinct values.
    private func distinctIds() throws -> [UInt64] {
        guard query.isInOrderOfIds else { return try sortedDistinctIds() }
        let needed = query.needed ?? .max
        let values = OrderKeys(query.distinct, access)
        var seen: Set<[UInt8]> = []
        var ids: [UInt64] = []
        func visit(_ row: Span<UInt8>, _ layout: UInt32, _ id: UInt64) throws -> Bool {
            var value: [UInt8] = []
            try values.append(row, layout: layout, id: id, to: &value)
            if seen.insert(value).inserted { ids.append(id) }
            return ids.count < needed
        }
        if let ranking {
            try access.forEachRow(query.entity, ranking) { try visit($0, $1, $2) }
        } else {
            try forEachMatch(plan.path) { try visit($0, $1, $2) }
        }
        return ids
    }

    private func sortedDistinctIds() throws -> [UInt64] {
        var firsts: [[UInt8]: RowSort.Entry] = [:]
        try SortKeys(query, access).forEach(plan.path, of: self) { entry, value in
            if let known = firsts[value], !known.isBehind(entry) { return }
            firsts[value] = entry
        }
        var sort = RowSort(limit: query.needed)
        for entry in firsts.values { sort.insert(entry.key, entry.id) }
        return sort.ids()
    }
}
