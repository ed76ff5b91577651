import DaybookRecords

/// A scan of an index in the order of a query, which stops as soon as enough objects are found.
struct OrderScan: Sendable {
    let index: IndexPlan.Index
    let entity: UInt32
    /// The spans to scan, in this order.
    let spans: [KeySpan]
    /// Whether each span is scanned from its end to its beginning.
    let isDescending: Bool
    /// Whether ties come in the order of their ids.
    let hasTiesInOrder: Bool
    /// The predicate that the objects must still be evaluated with.
    let residual: BoundCondition
    /// The objects whose entries in the index are not current.
    let unlisted: [UInt64]
    let number: Int
    /// The number of rows after which another plan is cheaper; nil for no maximum.
    private(set) var rowCountMax: Int?

    init(
        index: IndexPlan.Index, entity: UInt32, spans: [KeySpan], isDescending: Bool,
        hasTiesInOrder: Bool, residual: BoundCondition, unlisted: [UInt64], number: Int
    ) {
        self.index = index
        self.entity = entity
        self.spans = spans
        self.isDescending = isDescending
        self.hasTiesInOrder = hasTiesInOrder
        self.residual = residual
        self.unlisted = unlisted
        self.number = number
    }

    private var rowCost: Double {
        PlanCost.entry + PlanCost.row + PlanCost.judging(residual)
    }

    /// - Parameter share: the fraction of all objects that match the whole condition.
    func cost(share: Double, count: Int, limit: Int) -> Double {
        let rows = min(Double(count), Double(limit) / max(share, 1e-9))
        return PlanCost.search * Double(spans.count) + rows * rowCost
            + Double(unlisted.count) * PlanCost.row
    }

    /// The same scan, which stops when its cost exceeds that of the other plan by a margin.
    func giving(up cost: Double?) -> OrderScan {
        var walk = self
        walk.rowCountMax = cost.map { 256 + Int(min($0 / rowCost, 1e12)) }
        return walk
    }
}

extension Planner {
    /// A scan of an index in the order of a query; nil if there is no such index, or if all objects
    /// are needed.
    func walk(_ reads: QueryReads) throws -> OrderScan? {
        guard reads != .count, let needed = query.needed, needed > 0, query.distinct.isEmpty,
            let first = query.orders.first, !query.isInOrderOfIds
        else { return nil }
        guard query.orders.allSatisfy({ $0.isDescending == first.isDescending }) else { return nil }
        let parts = query.condition.conjuncts
        var properties = parts.plainProperties
        if case .expression(.column(let column)) = first.key, column.isPlain,
            !properties.contains(column.property.propertyID)
        {
            properties.append(column.property.propertyID)
        }
        var best: OrderScan?
        for planned in try indexes(of: query.entity, over: properties) {
            guard let walk = try walk(planned, parts, first) else { continue }
            if walk.covers(more: best) { best = walk }
        }
        return best
    }

    private func walk(
        _ planned: PlannedIndex, _ parts: [BoundCondition], _ first: BoundOrder
    ) throws -> OrderScan? {
        guard planned.isOrdered else { return nil }
        var prefix = KeySpan(from: [], before: [], isPoint: true)
        var whole = PartSet()
        var start = 0
        while !planned.gives(first, at: start) {
            guard let (keys, saysWhole, _) = planned.keys(parts, at: start),
                keys.spans.count == 1, keys.spans[0].isPoint, start + 1 < planned.columns.count
            else { return nil }
            prefix = prefix.followed(by: keys.spans[0])
            whole.formUnion(saysWhole)
            start += 1
        }
        let end = start + query.orders.count
        guard end <= planned.columns.count else { return nil }
        for (place, order) in zip(start..<end, query.orders).dropFirst() {
            guard planned.gives(order, at: place) else { return nil }
            // Nulls always come first in the index.
            let isNullsEnd = order.areNullsLast == order.isDescending
            guard isNullsEnd || !planned.columns[place].isOptional else { return nil }
        }
        var spans = [KeySpan(from: [0], before: [2], isPoint: false)]
        if let (keys, saysWhole, _) = planned.keys(parts, at: start) {
            spans = keys.spans
            whole.formUnion(saysWhole)
        }
        guard prefix.from.count + spans.lengthMax < IndexKey.lengthMax else { return nil }
        let nulls = spans.intersection([KeySpan(from: [0], before: [1], isPoint: true)])
        var values = spans.intersection([KeySpan(from: [1], before: [2], isPoint: false)])
        if first.isDescending { values.reverse() }
        let inOrder = first.areNullsLast ? values + nulls : nulls + values
        let residual = BoundCondition.conjunction(parts, without: whole)
        return OrderScan(
            index: planned.index, entity: query.entity,
            spans: inOrder.map { prefix.followed(by: $0) }, isDescending: first.isDescending,
            hasTiesInOrder: !first.isDescending && end == planned.columns.count,
            residual: residual, unlisted: try access.unlisted(query.entity, in: planned.index),
            number: make(.nothing, query.entity, residual, estimate: 0, cost: 0).number)
    }
}

extension PlannedIndex {
    /// Whether the index property at `place` has the order that a query wants.
    fileprivate func gives(_ order: BoundOrder, at place: Int) -> Bool {
        guard place < columns.count, case .expression(.column(let column)) = order.key,
            isOver(column, at: place)
        else { return false }
        let type = columns[place].type
        if order.areNullsZero, columns[place].isOptional { return false }
        if type == .string { return order.isCaseSensitive != columns[place].isFolded }
        // A decimal has several representations.
        return type != .decimal
    }
}

extension OrderScan {
    /// Whether its residual has fewer parts than that of another scan.
    fileprivate func covers(more other: OrderScan?) -> Bool {
        guard let other else { return true }
        return residual.conjuncts.count < other.residual.conjuncts.count
    }
}
