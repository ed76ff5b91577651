import DaybookIndex

/// Which links a running transaction has made and undone.
///
/// Operations on one link follow each other: each undoes the one before. So every second one
/// restores what the store has, and is not written.
struct PendingLinks {
    /// A link, or the place of an object in a list: where that is none, the position is empty.
    typealias Link = ListEntry

    private struct End: Hashable {
        var relation: UInt32
        var isBackward: Bool
        var id: UInt64
    }

    /// The operations on each link, oldest first.
    private var operations: [Link: [Int]] = [:]
    /// The links of each end that were ever touched.
    private var touched: [End: Set<Link>] = [:]

    var isEmpty: Bool { operations.isEmpty }

    /// The last operation on a link.
    func last(_ link: Link) -> Int? { operations[link]?.last }

    /// The links of one end that were touched.
    func links(_ relation: UInt32, isBackward: Bool, _ id: UInt64) -> Set<Link> {
        touched[End(relation: relation, isBackward: isBackward, id: id)] ?? []
    }

    /// Notes an operation on a link; returns the one that it undoes.
    mutating func push(_ link: Link, _ operation: Int) -> (undone: Int?, isDead: Bool) {
        let earlier = operations[link] ?? []
        operations[link, default: []].append(operation)
        if earlier.isEmpty {
            touched[End(relation: link.relation, isBackward: false, id: link.source), default: []]
                .insert(link)
            touched[End(relation: link.relation, isBackward: true, id: link.target), default: []]
                .insert(link)
        }
        return (earlier.last, !earlier.count.isMultiple(of: 2))
    }

    /// Forgets the last operation on a link; returns the one before, if that is to be written
    /// again.
    mutating func pop(_ link: Link) -> Int? {
        guard var rest = operations[link] else { return nil }
        rest.removeLast()
        operations[link] = rest.isEmpty ? nil : rest
        return rest.count.isMultiple(of: 2) ? nil : rest.last
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
