import DaybookBytes
import DaybookRecords

/// The links that a running transaction has added and removed.
///
/// Each operation on a link reverts the one before. So every second operation restores the stored
/// state and is not written.
struct PendingLinks {
    /// A link, or an element of a list. The position of a link is empty.
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

    /// Represents "no target".
    static let nobody: UInt64 = 0

    /// The last operation on each link and each element of a list.
    private var pairs: [Pair: Int] = [:]
    private var places: [Link: Int] = [:]
    /// The current target of a source of a to-one relation.
    private var targets: [End: UInt64] = [:]
    /// The operations on each end, for the lists and directions that were read.
    private var sides: [LinkSide: Touched] = [:]
    /// The links of a long transaction.
    private var added = AddedLinks()

    /// Up to this number of changed links, a read of an end visits all of them.
    private static let visitedCountMax = 32

    private struct Touched {
        /// The number of the transaction's operations that are included.
        var operationCount = 0
        var operations: [UInt64: [Int32]] = [:]
    }

    var isEmpty: Bool { pairs.isEmpty && places.isEmpty }

    /// The last operation on a link.
    func last(_ link: Link) -> Int? {
        guard link.position.isEmpty else { return places[link] }
        guard !pairs.isEmpty else { return nil }
        return pairs[Pair(relation: link.relation, source: link.source, target: link.target)]
    }

    /// Sets the last operation on a link; nil removes it.
    mutating func setLast(_ link: Link, _ operation: Int?) {
        if link.position.isEmpty {
            pairs[Pair(relation: link.relation, source: link.source, target: link.target)] =
                operation
        } else {
            places[link] = operation
        }
    }

    /// The target of a source of a to-one relation, if the transaction changed it.
    func target(_ relation: UInt32, _ source: UInt64) -> UInt64? {
        guard !targets.isEmpty else { return nil }
        return targets[End(relation: relation, isBackward: false, id: source)]
    }

    mutating func setTarget(_ relation: UInt32, _ source: UInt64, _ target: UInt64) {
        targets[End(relation: relation, isBackward: false, id: source)] = target
    }

    /// The operations of the transaction that changed links of an end.
    mutating func operations(on end: LinkEnd, among operations: [PendingOperation]) -> [Int] {
        let side = end.side
        var touched = sides.removeValue(forKey: side) ?? Touched()
        while touched.operationCount < operations.count {
            let index = touched.operationCount
            touched.operationCount += 1
            let operation = operations[index]
            guard operation.kind.isLink, operation.entity == end.relation else { continue }
            let (id, _) = side.pair(source: operation.id, target: operation.target)
            touched.operations[id, default: []].append(Int32(index))
        }
        sides[side] = touched
        // Operations that were rolled back are still listed, and other operations may have their
        // indices.
        return (touched.operations[end.id] ?? []).map { Int($0) }.filter { index in
            guard index < operations.count, operations[index].kind.isLink else { return false }
            let operation = operations[index]
            let (id, _) = side.pair(source: operation.id, target: operation.target)
            return operation.entity == end.relation && id == end.id
        }
    }

    /// The ids at the other end whose links the transaction added, ascending, from the first above
    /// `after`. Not for lists.
    mutating func added(
        to end: LinkEnd, among operations: [PendingOperation], after: UInt64, limit: Int
    ) throws(DaybookError) -> [UInt64] {
        guard pairs.count <= Self.visitedCountMax else {
            return try added.ids(of: end, among: operations, after: after, limit: limit)
        }
        var ids: [UInt64] = []
        for (pair, last) in pairs where pair.relation == end.relation {
            let (id, other) = end.side.pair(source: pair.source, target: pair.target)
            guard id == end.id, other > after, operations[last].kind == .link else { continue }
            ids.append(other)
        }
        return Array(ids.sorted().prefix(max(0, limit)))
    }

    /// Reverts an operation, whose index was `index`. `earlier` is the operation on the same link
    /// before it, if any.
    mutating func revert(
        _ operation: PendingOperation, at index: Int, to earlier: PendingOperation?
    ) {
        added.revert(operation, at: index, isLinked: earlier?.kind == .link)
    }

    /// Rolls back the operations from `operation` on.
    mutating func roll(backTo operation: Int) {
        added.roll(backTo: operation)
        for side in sides.keys {
            let count = sides[side]?.operationCount ?? 0
            sides[side]?.operationCount = min(count, operation)
        }
    }
}

/// An object that lost a link of a relation that removes orphans.
struct PossibleOrphan {
    /// The object as an end of the relation.
    var end: LinkEnd
    var entity: UInt32
    /// The operation that removed the link.
    var operation: Int
}
