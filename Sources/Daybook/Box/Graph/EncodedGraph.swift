import DaybookBytes
import DaybookEngine
import DaybookRecords

/// Objects as rows, and the links between them, ready to be put on another thread: the objects
/// themselves stay where they are.
struct EncodedGraph: Sendable {
    /// An object of the graph by its place, or any other by its id.
    enum End: Sendable, Hashable {
        case node(Int)
        case id(Id)
    }

    /// One object.
    struct Node: Sendable {
        var binding: EntityBinding
        var id: Id
        var bytes: Range<Int>
        /// Whether it was given to be put, and did not come along with another.
        var isRoot: Bool
    }

    /// An element of a list as it is to be.
    struct Placement: Sendable {
        var position: [UInt8]?
        var target: End
    }

    /// What is to become of the links of one object by one relation.
    enum Change: Sendable {
        case target(End?)
        /// Adds and removes; with `isWhole`, all that are not added are removed.
        case members(added: [End], removed: [Id], isWhole: Bool)
        /// A list; with `isWhole`, elements that are not known of are removed, too.
        case list(from: [[UInt8]], to: [Placement], isWhole: Bool)

        /// The objects at the other ends.
        var ends: [End] {
            switch self {
            case .target(let target): target.map { [$0] } ?? []
            case .members(let added, _, _): added
            case .list(_, let list, _): list.map(\.target)
            }
        }
    }

    struct Edit: Sendable {
        var host: End
        var relation: BoundRelation
        var change: Change
    }

    var nodes: [Node] = []
    var edits: [Edit] = []
    var bytes: [UInt8] = []

    /// Puts all of it: first the objects, so that each has an id, then the links.
    func put(
        in transaction: WriteTransaction, _ request: PutRequest
    ) throws(DaybookError) -> GraphOutcome {
        var outcome = GraphOutcome()
        outcome.ids = nodes.map(\.id)
        let leaders = leaders()
        var waiting = Array(nodes.indices)
        var isStored = [Bool](repeating: false, count: nodes.count)
        var count = 0
        // Who came along is put once somebody who leads there was. That is the case in one round,
        // unless an object was ignored, and one that stands behind leads there, too.
        repeat {
            count = waiting.count
            var left: [Int] = []
            for index in waiting {
                if let hosts = leaders[index], !hosts.contains(where: { isStored[$0] }) {
                    left.append(index)
                } else {
                    isStored[index] = try put(index, request, &outcome, in: transaction)
                }
            }
            waiting = left
        } while !waiting.isEmpty && waiting.count < count
        outcome.ignored.formUnion(waiting)
        // Links are taken away before any is made: a new object of which nothing was set says that
        // it leads nowhere, and is not to undo what another object says of the same link.
        for edit in edits { try takeAway(edit, outcome, in: transaction) }
        outcome.positions.reserveCapacity(edits.count)
        for edit in edits {
            outcome.positions.append(try put(edit, &outcome, in: transaction))
        }
        return outcome
    }

    /// Puts one object. Returns false if it was not, for another is like it.
    private func put(
        _ index: Int, _ request: PutRequest, _ outcome: inout GraphOutcome,
        in transaction: WriteTransaction
    ) throws(DaybookError) -> Bool {
        let node = nodes[index]
        // A put that another object stands in the way of may do nothing at all.
        let mayIgnore = node.binding.mayIgnorePuts
        let before = mayIgnore ? transaction.operationCount : 0
        let row = bytes.span.extracting(node.bytes)
        let request = node.isRoot ? request : PutRequest(upsert: request.upsert)
        let id = try node.binding.put(row, node.id, request, in: transaction)
        outcome.ids[index] = id
        guard mayIgnore, id != node.id, transaction.operationCount == before else { return true }
        outcome.ignored.insert(index)
        return false
    }

    /// Who leads to the objects that came along with others alone; none where all are put anyway.
    private func leaders() -> [Int: [Int]] {
        guard nodes.contains(where: \.binding.mayIgnorePuts) else { return [:] }
        var leaders: [Int: [Int]] = [:]
        var free: Set<Int> = []
        for edit in edits {
            for case .node(let end) in edit.change.ends where !nodes[end].isRoot {
                switch edit.host {
                case .node(let host): leaders[end, default: []].append(host)
                case .id: free.insert(end)
                }
            }
        }
        return leaders.filter { !free.contains($0.key) }
    }

    /// Takes away the links that are not to be, but for those of a list, whose positions are
    /// planned with what comes.
    private func takeAway(
        _ edit: Edit, _ outcome: GraphOutcome, in transaction: WriteTransaction
    ) throws(DaybookError) {
        if case .node(let node) = edit.host, outcome.ignored.contains(node) { return }
        guard let end = try edit.relation.end(of: outcome.id(of: edit.host)) else { return }
        switch edit.change {
        case .target(nil): try transaction.setTarget(end.relation, end.id, nil)
        case .members(let added, var removed, let isWhole):
            if isWhole {
                let kept = Set(added.map { outcome.id(of: $0) })
                removed = try transaction.links(of: end).filter { !kept.contains($0) }
            }
            for id in removed { try transaction.part(end, id) }
        case .target, .list: break
        }
    }

    /// Makes the links that are to be. Returns the positions of a list's elements.
    private func put(
        _ edit: Edit, _ outcome: inout GraphOutcome, in transaction: WriteTransaction
    ) throws(DaybookError) -> [[UInt8]] {
        if case .node(let node) = edit.host, outcome.ignored.contains(node) { return [] }
        for case .node(let index) in edit.change.ends { outcome.linked.insert(index) }
        guard let end = try edit.relation.end(of: outcome.id(of: edit.host)) else { return [] }
        switch edit.change {
        case .target(let target):
            guard let target else { break }
            try transaction.setTarget(end.relation, end.id, outcome.id(of: target))
        case .members(let added, _, _):
            for other in added { try transaction.join(end, outcome.id(of: other)) }
        case .list(var base, let list, let isWhole):
            if isWhole { base = try transaction.list(end.relation, end.id).map(\.position) }
            let list = list.map {
                ListPlacement(position: $0.position, target: outcome.id(of: $0.target))
            }
            return try transaction.setList(end.relation, end.id, from: base, to: list)
        }
        return []
    }
}

/// What a put of a graph gave out.
struct GraphOutcome: Sendable {
    /// The id of each object.
    var ids: [Id] = []
    /// The positions in the list of each edit; none for one of another kind.
    var positions: [[[UInt8]]] = []
    /// The objects of the graph that others of it were related to.
    var linked: Set<Int> = []
    /// The objects that were not put, for another is like them (see ``UniqueConflict/ignore``), or
    /// only such lead to them.
    var ignored: Set<Int> = []

    /// Whether an object has links besides those that its own relations say.
    func isLinked(_ end: EncodedGraph.End) -> Bool {
        if case .node(let index) = end { linked.contains(index) } else { false }
    }

    func id(of end: EncodedGraph.End) -> Id {
        switch end {
        case .node(let index): ids[index]
        case .id(let id): id
        }
    }
}

extension WriteTransaction {
    /// Relates two objects, one of which is an end; in a list, behind all others.
    fileprivate func join(_ end: LinkEnd, _ other: Id) throws(DaybookError) {
        let (source, target) = end.isBackward ? (other, end.id) : (end.id, other)
        guard end.isList else { return _ = try link(end.relation, source, target) }
        let base = try list(end.relation, source)
        if base.contains(where: { $0.target == target }) { return }
        var placements = base.map { ListPlacement(position: $0.position, target: $0.target) }
        placements.append(ListPlacement(position: nil, target: target))
        _ = try setList(end.relation, source, from: base.map(\.position), to: placements)
    }

    /// Parts two objects, one of which is an end; takes all that there are out of a list.
    fileprivate func part(_ end: LinkEnd, _ other: Id) throws(DaybookError) {
        let (source, target) = end.isBackward ? (other, end.id) : (end.id, other)
        guard end.isList else { return _ = try unlink(end.relation, source, target) }
        let gone = try list(end.relation, source).filter { $0.target == target }
        _ = try setList(end.relation, source, from: gone.map(\.position), to: [])
    }
}
