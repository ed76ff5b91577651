import DaybookBytes
package import DaybookEngine
import DaybookRecords

/// The result of a query, kept up to date: it is told which objects were touched, and tells what
/// became of the result.
///
/// Held are the ids of the result and the bytes that they are sorted by, and no row. Where a limit
/// cuts the result off, some objects behind the cut are held, too, so that the query is not run
/// again whenever one leaves. For one thread at a time.
package struct LiveQuery: Sendable {
    /// An object of the result.
    struct Entry: Sendable {
        /// Empty where the order is that of ids.
        var key: [UInt8]
        var id: UInt64
        /// The watched values; empty where any change counts.
        var watched: [UInt8]

        func isBehind(_ other: Entry) -> Bool {
            if key == other.key { return id > other.id }
            return key.isBehind(other.key)
        }
    }

    package let query: QueryRunner
    let dependencies: QueryDependencies
    let watch: PropertyWatch?
    /// How many objects behind the cut of a limit are held; nil for as many as are of use.
    private let spareCount: Int?
    /// How many objects are looked at one by one in any case, before the query is run instead.
    private let judgedCountMin: Int
    /// What is held, in the order of the query: of one whose objects are judged each by itself from
    /// the first object on, also those that the offset leaves out; of others the result itself.
    var entries: [Entry] = []
    /// The keys of what is held, where the order is not that of ids.
    var keys: [UInt64: [UInt8]] = [:]
    /// Objects behind this one are not held; nil where all are.
    var end: Entry?
    /// Whether what is held is not known to be right, for an advance failed half way.
    var isStale = false
    /// The version whose result it is.
    package internal(set) var sequence: UInt64 = 0
    /// How many objects its condition was asked of.
    package internal(set) var judgedCount = 0
    /// How often the query was run whole.
    package internal(set) var runCount = 0

    /// The result over one version.
    ///
    /// Throws as the query, and `.invalidArgument` for watched properties that it does not have.
    /// Cost: a run of the query; where it has an order, a look at each row found.
    ///
    /// - Parameter watched: the properties of which a change is told as a modification; nil for
    ///   any change of the row, and of the links that lead from the object.
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

    /// The ids of the result, in its order.
    package var ids: [UInt64] { entries[window].map(\.id) }

    /// How many objects the result has.
    package var count: Int { window.count }

    /// Which of what is held is the result.
    var window: Range<Int> {
        guard dependencies.isJudged else { return entries.indices }
        let start = min(query.definition.offset, entries.count)
        let length = min(query.definition.limit ?? .max, entries.count - start)
        return start..<(start + length)
    }

    /// Whether the result is all that the condition is true of.
    var isWhole: Bool { query.definition.offset == 0 && query.definition.limit == nil }

    /// How many objects a cut result holds: nil for all.
    var heldCount: Int? {
        guard let needed = query.needed else { return nil }
        let (sum, isOver) = needed.addingReportingOverflow(spareCount ?? max(16, needed / 4))
        return isOver ? nil : sum
    }

    /// How many objects may be looked at one by one before running the query is cheaper.
    var judgedCountMax: Int { max(judgedCountMin, entries.count / 2) }

    /// Runs the query and holds what it finds.
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

    /// Whether objects are found by their keys.
    var isSorted: Bool { dependencies.isJudged && !query.orders.isEmpty }

    /// Where an object stands among what is held; nil for one that does not. Cost: O(log n).
    func place(of id: UInt64) -> Int? {
        var key: [UInt8] = []
        if isSorted {
            guard let known = keys[id] else { return nil }
            key = known
        }
        let place = place(before: Entry(key: key, id: id, watched: []))
        return place < entries.count && entries[place].id == id ? place : nil
    }

    /// The first place whose object does not stand before another.
    func place(before entry: Entry) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entry.isBehind(entries[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// Judges and reads rows for a live query, over one version.
struct LiveRows {
    private let judge: RowEvaluator
    private let keys: OrderKeys
    private let watched: OrderKeys?

    init(_ live: LiveQuery, _ access: QueryAccess) {
        judge = RowEvaluator(live.query.condition, access, entity: live.query.entity)
        keys = OrderKeys(live.isSorted ? live.query.orders : [], access)
        watched = live.watch.map { OrderKeys($0.values, access) }
    }

    /// Nil for a row that the condition is not true of.
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
