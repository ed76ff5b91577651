import DaybookBytes
import DaybookEngine
import DaybookRecords

/// The objects that a relation leads to.
struct LinkedRows {
    let relation: QueryRelation
    let access: QueryAccess

    /// The number of ids per read. Most iterations end early.
    private static let pageCount = 64

    init(_ relation: QueryRelation, _ access: QueryAccess) {
        self.relation = relation
        self.access = access
    }

    /// Calls `body` with the distinct ids of the objects, ascending, until it returns false.
    func forEachId(
        from id: UInt64, _ body: (UInt64) throws(DaybookError) -> Bool
    ) throws(DaybookError) {
        guard let end = end(of: id) else { return }
        // A list is always read whole.
        let limit = relation.isToOne ? 1 : relation.isList ? .max : Self.pageCount
        var last: UInt64 = 0
        while true {
            let ids = try access.scope.links(of: end, after: last, limit: limit)
            for id in ids { guard try body(id) else { return } }
            guard ids.count == limit, !relation.isToOne, let next = ids.last else { return }
            last = next
        }
    }

    /// The object of a to-one relation, or nil.
    func id(from id: UInt64) throws(DaybookError) -> UInt64? {
        guard let end = end(of: id) else { return nil }
        return try access.scope.links(of: end, limit: 1).first
    }

    /// The number of objects; for a list, the number of elements.
    func count(from id: UInt64) throws(DaybookError) -> Int {
        guard let end = end(of: id) else { return 0 }
        return try access.scope.linkCount(of: end)
    }

    /// Returns nil if the store does not have the relation yet.
    private func end(of id: UInt64) -> LinkEnd? {
        relation.relationID.map {
            LinkEnd(
                relation: $0, isBackward: relation.isBackward, id: id, isList: relation.isList)
        }
    }
}

/// Whether a relation leads to an object that matches a condition.
final class LinkedTest: RowPredicate {
    private let rows: LinkedRows
    private let judge: RowEvaluator
    private let target: UInt32
    /// Cached results, because many objects refer to the same ones.
    private var verdicts: [UInt64: Bool] = [:]
    /// The maximum number of cached results.
    private static let verdictCountMax = 65_536

    init(_ relation: QueryRelation, _ condition: BoundCondition, _ access: QueryAccess) {
        rows = LinkedRows(relation, access)
        judge = RowEvaluator(condition, access, entity: relation.target)
        target = relation.target
    }

    override var cost: Int { 3_000 }

    override func isTrue(
        _ row: borrowing RowParts, _ id: UInt64
    ) throws(DaybookError) -> Bool {
        if rows.relation.isToOne {
            guard let id = try rows.id(from: id) else { return false }
            return try verdict(id)
        }
        var isFound = false
        try rows.forEachId(from: id) { (id) throws(DaybookError) in
            isFound = try verdict(id)
            return !isFound
        }
        return isFound
    }

    /// Whether an object matches; false if it does not exist.
    private func verdict(_ id: UInt64) throws(DaybookError) -> Bool {
        if let known = verdicts[id] { return known }
        var verdict = false
        if let row = try rows.access.scope.row(target, id) {
            verdict = try judge.isTrue(of: row.bytes, layout: row.layout, id: id)
        }
        if verdicts.count >= Self.verdictCountMax { verdicts.removeAll(keepingCapacity: true) }
        verdicts[id] = verdict
        return verdict
    }
}

extension LinkedRows {
    /// The maximum number of cached values.
    private static let valueCountMax = 16_384

    /// Reads the value of an expression of the object at the other end of a to-one relation.
    func reader(_ expression: BoundExpression) -> OperandReader {
        let reader = ExpressionReader(expression, access)
        var values: [UInt64: QueryValue] = [:]
        return { (_, id) throws(DaybookError) in
            guard let id = try self.id(from: id) else { return .null }
            if let known = values[id] { return known }
            var value = QueryValue.null
            if let row = try access.scope.row(relation.target, id) {
                value = try reader.value(in: row.bytes, layout: row.layout, id: id)
            }
            if values.count >= Self.valueCountMax { values.removeAll(keepingCapacity: true) }
            values[id] = value
            return value
        }
    }

    /// Reads the aggregate of an expression over the objects of the relation; their number without
    /// an expression.
    func reader(of aggregate: QueryAggregate, _ expression: BoundExpression?) -> OperandReader {
        guard let expression else {
            return { (_, id) throws(DaybookError) in .integer(Int128(try count(from: id))) }
        }
        let reader = ExpressionReader(expression, access)
        let kind = ValueSum.Kind(expression.type)
        return { (_, id) throws(DaybookError) in
            var sum = ValueSum(aggregate, kind)
            if relation.isList, !relation.isBackward, let number = relation.relationID {
                // An object counts once for each occurrence in the list.
                for element in try access.scope.list(number, id) {
                    try add(element.target, reader, to: &sum)
                }
            } else {
                try forEachId(from: id) { (id) throws(DaybookError) in
                    try add(id, reader, to: &sum)
                    return true
                }
            }
            return try sum.result()
        }
    }

    private func add(
        _ id: UInt64, _ reader: ExpressionReader, to sum: inout ValueSum
    ) throws(DaybookError) {
        guard let row = try access.scope.row(relation.target, id) else { return }
        try sum.add(try reader.value(in: row.bytes, layout: row.layout, id: id))
    }
}
