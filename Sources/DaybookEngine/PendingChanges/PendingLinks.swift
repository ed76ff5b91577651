import DaybookRecords

/// Which links a running transaction has made and undone.
///
/// Operations on one link follow each other: each undoes the one before. So every second one
/// restores what the store has, and is not written.
struct PendingLinks {
    /// A link, or the place of an object in a list: where that is none, the position is empty.
    typealias Link = ListEntry

    private struct Pair: Hashable {
        var relation: UInt32
        var source: UInt64
        var target: UInt64
    }

    private struct End: Hashable {
        var relation: UInt32
        var isBackward: Bool
        var id: UInt64
    }

    /// Stands for a target where there is none.
    static let nobody: UInt64 = 0

    /// The last operation on each link, and on each place in a list.
    private var pairs: [Pair: Int] = [:]
    private var places: [Link: Int] = [:]
    /// Whom a source of a relation to one leads to now.
    private var targets: [End: UInt64] = [:]
    /// The operations on each end of those relations and directions that were asked for.
    private var sides: [Side: Touched] = [:]
    /// What was worked out of the last end that was asked for: a walk asks again and again.
    private var lastLook: (end: LinkEnd, operationCount: Int, others: Others)?

    private struct Side: Hashable {
        var relation: UInt32
        var isBackward: Bool
    }

    private struct Touched {
        /// How many operations of the transaction are in it.
        var operationCount = 0
        var operations: [UInt64: [Int32]] = [:]
    }

    /// The ids at the other ends of touched links.
    struct Others {
        /// Those that are linked now, ascending.
        var present: [UInt64] = []
        var touched: Set<UInt64> = []
    }

    var isEmpty: Bool { pairs.isEmpty && places.isEmpty }

    /// The last operation on a link.
    func last(_ link: Link) -> Int? {
        guard link.position.isEmpty else { return places[link] }
        guard !pairs.isEmpty else { return nil }
        return pairs[Pair(relation: link.relation, source: link.source, target: link.target)]
    }

    /// Makes an operation the last on a link; none with nil.
    mutating func setLast(_ link: Link, _ operation: Int?) {
        if link.position.isEmpty {
            pairs[Pair(relation: link.relation, source: link.source, target: link.target)] =
                operation
        } else {
            places[link] = operation
        }
    }

    /// Whom a source of a relation to one leads to, if the transaction changed that.
    func target(_ relation: UInt32, _ source: UInt64) -> UInt64? {
        guard !targets.isEmpty else { return nil }
        return targets[End(relation: relation, isBackward: false, id: source)]
    }

    mutating func setTarget(_ relation: UInt32, _ source: UInt64, _ target: UInt64) {
        targets[End(relation: relation, isBackward: false, id: source)] = target
    }

    /// The operations of the transaction that touched links of an end.
    mutating func operations(on end: LinkEnd, among operations: [PendingOperation]) -> [Int] {
        let side = Side(relation: end.relation, isBackward: end.isBackward)
        var touched = sides.removeValue(forKey: side) ?? Touched()
        while touched.operationCount < operations.count {
            let index = touched.operationCount
            touched.operationCount += 1
            let operation = operations[index]
            guard operation.kind.isLink, operation.entity == end.relation else { continue }
            let id = end.isBackward ? operation.target : operation.id
            touched.operations[id, default: []].append(Int32(index))
        }
        sides[side] = touched
        // What was taken back is still noted, and its place may have been taken by another.
        return (touched.operations[end.id] ?? []).map { Int($0) }.filter { index in
            guard index < operations.count, operations[index].kind.isLink else { return false }
            let operation = operations[index]
            return operation.entity == end.relation
                && (end.isBackward ? operation.target : operation.id) == end.id
        }
    }

    func others(of end: LinkEnd, operationCount: Int) -> Others? {
        guard let lastLook, lastLook.end == end, lastLook.operationCount == operationCount else {
            return nil
        }
        return lastLook.others
    }

    mutating func keep(_ others: Others, of end: LinkEnd, operationCount: Int) {
        lastLook = (end, operationCount, others)
    }

    /// Operations from that one on are taken back.
    mutating func roll(backTo operation: Int) {
        lastLook = nil
        for side in sides.keys {
            let count = sides[side]?.operationCount ?? 0
            sides[side]?.operationCount = min(count, operation)
        }
    }
}

/// An object that lost a link of a relation which removes those that have none.
struct PossibleOrphan {
    /// The object, seen from the relation.
    var end: LinkEnd
    var entity: UInt32
    /// The operation that took the link away.
    var operation: Int
}
