import DaybookBytes
import DaybookEngine
import DaybookRecords

/// The bytes by which a query sorts its matches.
struct SortKeys {
    private let before: OrderKeys
    private let after: OrderKeys
    private let relevance: (order: BoundOrder, scores: Relevance)?
    /// The values that must be distinct.
    private let values: OrderKeys?

    init(_ query: QueryRunner, _ access: QueryAccess) throws {
        values = query.distinct.isEmpty ? nil : OrderKeys(query.distinct, access)
        guard let place = query.orders.firstIndex(where: { $0.key == .relevance }) else {
            before = OrderKeys(query.orders, access)
            after = OrderKeys([], access)
            relevance = nil
            return
        }
        before = OrderKeys(Array(query.orders[..<place]), access)
        after = OrderKeys(Array(query.orders[(place + 1)...]), access)
        relevance = (
            query.orders[place],
            try Relevance(query.condition.columnSearches, entity: query.entity, access: access)
        )
    }

    /// Calls `body` with the key and the distinct values of each match of a path.
    func forEach(
        _ path: AccessPath, of run: QueryRun,
        _ body: (_ entry: RowSort.Entry, _ value: [UInt8]) -> Void
    ) throws {
        try run.forEachMatch(path, inOrder: false) { row, layout, id in
            var key: [UInt8] = []
            try before.append(row, layout: layout, id: id, to: &key)
            if let relevance {
                let score = try relevance.scores.score(of: row, layout: layout, id: id)
                // The most relevant first.
                relevance.order.append(.number(-score), to: &key)
                try after.append(row, layout: layout, id: id, to: &key)
            }
            var value: [UInt8] = []
            try values?.append(row, layout: layout, id: id, to: &value)
            body(RowSort.Entry(key: key, id: id), value)
            return true
        }
    }
}
