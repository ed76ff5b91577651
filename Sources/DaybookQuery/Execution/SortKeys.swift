import DaybookBytes
import DaybookEngine
import DaybookRecords

/// The bytes by which a query sorts its matches.
///
/// The relevance of a row depends on all matches, so an order by relevance holds the keys of each
/// row until all are read.
struct SortKeys {
    /// The keys of a row whose relevance is not known yet.
    private struct Held {
        var id: UInt64
        var before: [UInt8]
        var after: [UInt8]
        var value: [UInt8]
    }

    private let before: OrderKeys
    private let after: OrderKeys
    private let relevance: (order: BoundOrder, scores: Relevance)?
    /// The values that must be distinct.
    private let values: OrderKeys?

    init(_ query: QueryRunner, _ access: QueryAccess) throws {
        values = query.distinct.isEmpty ? nil : OrderKeys(query.distinct, access)
        guard let place = query.orders.firstIndex(where: { $0.key == .relevance }),
            let (column, words) = query.condition.firstWords
        else {
            before = OrderKeys(query.orders, access)
            after = OrderKeys([], access)
            relevance = nil
            return
        }
        before = OrderKeys(Array(query.orders[..<place]), access)
        after = OrderKeys(Array(query.orders[(place + 1)...]), access)
        relevance = (
            query.orders[place],
            try Relevance(words: words, column: column, entity: query.entity, access: access)
        )
    }

    /// Calls `body` with the key and the distinct values of each match of a path.
    func forEach(
        _ path: AccessPath, of run: QueryRun,
        _ body: (_ entry: RowSort.Entry, _ value: [UInt8]) -> Void
    ) throws {
        var held: [Held] = []
        var matches: [Relevance.Match] = []
        try run.forEachMatch(path, inOrder: false) { row, layout, id in
            let row = Row(bytes: row, layout: layout, id: id)
            let value = try values.map { try row.key($0) } ?? []
            let first = try row.key(before)
            guard let relevance else {
                body(RowSort.Entry(key: first, id: id), value)
                return true
            }
            held.append(
                Held(id: id, before: first, after: try row.key(after), value: value))
            matches.append(try relevance.scores.match(in: row.bytes, layout: layout, id: id))
            return true
        }
        guard let relevance else { return }
        for (row, score) in zip(held, relevance.scores.scores(of: matches)) {
            var key = row.before
            // The most relevant first.
            relevance.order.append(.number(-score), to: &key)
            body(RowSort.Entry(key: key + row.after, id: row.id), row.value)
        }
    }

    private struct Row: ~Escapable {
        let bytes: Span<UInt8>
        let layout: UInt32
        let id: UInt64

        @_lifetime(copy bytes)
        init(bytes: Span<UInt8>, layout: UInt32, id: UInt64) {
            self.bytes = bytes
            self.layout = layout
            self.id = id
        }

        func key(_ keys: OrderKeys) throws(DaybookError) -> [UInt8] {
            var key: [UInt8] = []
            try keys.append(bytes, layout: layout, id: id, to: &key)
            return key
        }
    }
}

extension BoundCondition {
    /// The first words that the condition searches for, outside negations and conditions on related
    /// objects.
    var firstWords: (column: QueryColumn, words: [QueryWord])? {
        switch self {
        case .words(let column, let words): return (column, words)
        case .and(let parts), .or(let parts):
            for part in parts { if let found = part.firstWords { return found } }
            return nil
        default: return nil
        }
    }
}
