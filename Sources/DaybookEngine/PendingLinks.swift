import DaybookIndex

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
    /// The links of each end that were ever touched, by the first operations. A large transaction
    /// that never asks pays nothing for it.
    private var touched: [End: Set<Link>] = [:]
    private var touchedCount = 0

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

    /// The links of one end that were touched by the operations of the transaction.
    mutating func links(
        of end: LinkEnd, in operations: [PendingOperation], _ link: (PendingOperation) -> Link
    ) -> Set<Link> {
        while touchedCount < operations.count {
            let operation = operations[touchedCount]
            touchedCount += 1
            guard operation.kind.isLink else { continue }
            let link = link(operation)
            touched[End(relation: link.relation, isBackward: false, id: link.source), default: []]
                .insert(link)
            touched[End(relation: link.relation, isBackward: true, id: link.target), default: []]
                .insert(link)
        }
        return touched[
            End(relation: end.relation, isBackward: end.isBackward, id: end.id)] ?? []
    }

    /// Operations from that one on are taken back. What they touched stays noted: it is looked up
    /// again, and found as it was.
    mutating func roll(backTo operation: Int) { touchedCount = min(touchedCount, operation) }
}

/// An object that lost a link of a relation which removes those that have none.
struct PossibleOrphan {
    /// The object, seen from the relation.
    var end: LinkEnd
    var entity: UInt32
    /// The operation that took the link away.
    var operation: Int
}
