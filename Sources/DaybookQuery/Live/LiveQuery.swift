import DaybookBytes
package import DaybookEngine
import DaybookRecords

/// The result of a query, kept up to date: it takes the touched objects and returns the difference
/// of the results.
///
/// It holds the ids of the result and their sort keys, and no rows. If a limit cuts off the result,
/// it also holds some objects after the cut, so that the query does not run again whenever one
/// object leaves. One thread at a time may use it.
package struct LiveQuery: Sendable {
    /// An object of the result.
    struct Entry: Sendable {
        /// The sort key; empty if the order is that of ids.
        var key: [UInt8]
        var id: UInt64
        /// The watched values; empty if any change counts.
        var watched: [UInt8]

        func isBehind(_ other: Entry) -> Bool {
            if key == other.key { return id > other.id }
            return key.isBehind(other.key)
        }
    }

    package let query: QueryRunner
    let dependencies: QueryDependencies
    let watch: PropertyWatch?
    /// The number of spare objects held after the cut of a limit; nil for the default.
    private let spareCount: Int?
    /// The number of objects that may always be evaluated one by one, instead of running the query.
    private let judgedCountMin: Int
    /// The held objects, in the order of the query. If objects are evaluated one by one, they start
    /// with the first match and include the objects skipped by the offset; else they are the result
    /// itself.
    var entries: [Entry] = []
    /// The sort keys by id, if the order is not that of ids.
    var keys: [UInt64: [UInt8]] = [:]
    /// The last held entry. Objects after it are not held. Nil if all are held.
    var end: Entry?
    /// Whether the entries may be wrong because an advance failed.
    var isStale = false
    /// The version of the result.
    package internal(set) var sequence: UInt64 = 0
    /// The number of objects whose condition was evaluated.
    package internal(set) var judgedCount = 0
    /// The number of full runs of the query.
    package internal(set) var runCount = 0

    /// Creates the result over one version.
    ///
    /// Throws the errors of the query, and `.invalidArgument` for unknown watched properties. Cost:
    /// one run of the query; if it has an order, a read of each row found.
    ///
    /// - Parameter watched: the properties whose changes are reported as modifications; nil for any
    ///   change of the row and of the links from the object.
    package init(
        _ query: QueryRunner, over access: QueryAccess, watching watched: [PropertyPath]? = nil,
        spareCount: Int? = nil, judgedCountMin: Int = 4096
    ) throws {
        self.query = query
        self.spareCount = spareCount
        self.judgedCountMin = judgedCountMin
        dependencies = QueryDependencies(query)
        watch = try watched.map { paths throws(DaybookError) in
            try PropertyWatch(paths, of: query.entity, in: query.model)
        }
        try fill(access)
    }

    /// The ids of the result, in its order. Cost: O(n).
    package var ids: [UInt64] { entries[window].map(\.id) }

    /// The id of the object at a place of the result.
    package func id(at place: Int) -> UInt64 { entries[window.lowerBound + place].id }

    /// The number of objects in the result.
    package var count: Int { window.count }

    /// The range of `entries` that is the result.
    var window: Range<Int> {
        guard dependencies.isJudged else { return entries.indices }
        let start = min(query.definition.offset, entries.count)
        let length = min(query.definition.limit ?? .max, entries.count - start)
        return start..<(start + length)
    }

    /// Whether the result is all objects that match the condition.
    var isWhole: Bool { query.definition.offset == 0 && query.definition.limit == nil }

    /// The number of entries that a limited query holds; nil for all.
    var heldCount: Int? {
        guard let needed = query.needed else { return nil }
        let (sum, isOver) = needed.addingReportingOverflow(spareCount ?? max(16, needed / 4))
        return isOver ? nil : sum
    }

    /// The number of objects that may be evaluated one by one before running the query is cheaper.
    var judgedCountMax: Int { max(judgedCountMin, entries.count / 2) }

    /// Runs the query and holds its result.
    mutating func fill(_ access: QueryAccess) throws {
        runCount += 1
        let limit = heldCount
        let runner =
            dependencies.isJudged ? try query.with(offset: 0, limit: limit) : query
        let ids = query.definition.limit == 0 ? [] : try runner.ids(access)
        var found: [Entry] = []
        found.reserveCapacity(ids.count)
        if watch == nil, query.orders.isEmpty || !dependencies.isJudged {
            for id in ids { found.append(Entry(key: [], id: id, watched: [])) }
        } else {
            let reader = LiveRows(self, access)
            try access.forEachRow(query.entity, ids) { row, layout, id in
                found.append(try reader.entry(row, layout, id))
                return true
            }
        }
        entries = found
        end = dependencies.isJudged && limit.map { ids.count >= $0 } ?? false ? found.last : nil
        keys = [:]
        if isSorted { for entry in found { keys[entry.id] = entry.key } }
        sequence = try access.view?.sequence ?? 0
        isStale = false
    }

    /// Whether entries are found by their sort keys.
    var isSorted: Bool { dependencies.isJudged && !query.orders.isEmpty }

    /// The place of an object in `entries`; nil if it is not held. Cost: O(log n).
    func place(of id: UInt64) -> Int? {
        var key: [UInt8] = []
        if isSorted {
            guard let known = keys[id] else { return nil }
            key = known
        }
        let place = place(before: Entry(key: key, id: id, watched: []))
        return place < entries.count && entries[place].id == id ? place : nil
    }

    /// The first place whose entry does not sort before `entry`.
    func place(before entry: Entry) -> Int {
        entries.partitioningIndex { !entry.isBehind($0) }
    }
}

/// Evaluates and reads rows for a live query, over one version.
struct LiveRows {
    private let judge: RowEvaluator
    private let keys: OrderKeys
    private let watched: OrderKeys?

    init(_ live: LiveQuery, _ access: QueryAccess) {
        judge = RowEvaluator(live.query.condition, access, entity: live.query.entity)
        keys = OrderKeys(live.isSorted ? live.query.orders : [], access)
        watched = live.watch.map { OrderKeys($0.values, access) }
    }

    /// Returns nil if the row does not match the condition.
    func judged(
        _ row: Span<UInt8>, _ layout: UInt32, _ id: UInt64
    ) throws(DaybookError) -> LiveQuery.Entry? {
        try judge.isTrue(of: row, layout: layout, id: id) ? try entry(row, layout, id) : nil
    }

    func entry(
        _ row: Span<UInt8>, _ layout: UInt32, _ id: UInt64
    ) throws(DaybookError) -> LiveQuery.Entry {
        var entry = LiveQuery.Entry(key: [], id: id, watched: [])
        try keys.append(row, layout: layout, id: id, to: &entry.key)
        try watched?.append(row, layout: layout, id: id, to: &entry.watched)
        return entry
    }
}
