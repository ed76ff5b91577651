import DaybookBytes
import DaybookEngine
import DaybookRecords

/// Objects encoded as rows, and the links between them, to put on another thread. The objects
/// themselves stay in the caller's isolation.
struct EncodedGraph: Sendable {
    /// An object of the graph by its place, another object by its id, or an event by its place
    /// among the events that are appended.
    enum End: Sendable, Hashable {
        case node(Int)
        case id(Id)
        case event(Int)
    }

    /// An object of the graph.
    struct Node: Sendable {
        var binding: EntityBinding
        var id: Id
        var bytes: Range<Int>
        /// Whether the caller puts the object directly, and not only as part of a relation.
        var isRoot: Bool
    }

    /// An element in the new state of a list. A new element has no position. An element of a map
    /// has its key in any case.
    struct Placement: Sendable {
        var position: [UInt8]?
        var key: [UInt8]?
        var target: End
    }

    /// A change of the links of one object in one relation.
    enum Change: Sendable {
        case target(End?)
        /// Adds and removes links. With `isWhole`, all links that are not added are removed.
        case members(added: [End], removed: [Id], isWhole: Bool)
        /// Sets a list. With `isWhole`, elements that the object did not read are removed, too.
        case list(from: [[UInt8]], to: [Placement], isWhole: Bool)

        /// The objects at the other ends of the new links.
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
    var bytes = ByteWriter()

    /// Puts the objects first, so that each has an id, and then the links.
    func put(
        in transaction: WriteTransaction, _ options: PutOptions
    ) throws(DaybookError) -> GraphOutcome {
        var outcome = GraphOutcome()
        outcome.ids = nodes.map(\.id)
        let leaders = leaders()
        var waiting = Array(nodes.indices)
        var isStored = [Bool](repeating: false, count: nodes.count)
        var count = 0
        // An object that is only part of a relation is put after one of its referrers. One round
        // suffices, unless an object was ignored and one of the later objects refers to the same
        // object.
        repeat {
            count = waiting.count
            var left: [Int] = []
            for index in waiting {
                if let hosts = leaders[index], !hosts.contains(where: { isStored[$0] }) {
                    left.append(index)
                } else {
                    isStored[index] = try put(index, options, &outcome, in: transaction)
                }
            }
            waiting = left
        } while !waiting.isEmpty && waiting.count < count
        outcome.ignored.formUnion(waiting)
        // Remove links before adding any. A new object with an empty relation has no target; this
        // must not remove the same link when another object adds it.
        for edit in edits { try takeAway(edit, outcome, in: transaction) }
        outcome.positions.reserveCapacity(edits.count)
        for edit in edits {
            outcome.positions.append(try put(edit, outcome, in: transaction))
        }
        return outcome
    }

    /// Puts one object. Returns false if it was ignored because another object has its values.
    private func put(
        _ index: Int, _ options: PutOptions, _ graph: inout GraphOutcome,
        in transaction: WriteTransaction
    ) throws(DaybookError) -> Bool {
        let node = nodes[index]
        let binding = node.binding
        let options = node.isRoot ? options : PutOptions(upsert: options.upsert)
        let outcome = try transaction.changes.put(
            binding.entity, node.id, layout: binding.layoutID,
            row: bytes.span.extracting(node.bytes), binding.completed(options),
            counting: &graph.counts)
        graph.ids[index] = outcome.id
        // A stored object that is ignored keeps its row; its relations are still written.
        guard outcome.effect == .ignored, outcome.id != node.id else { return true }
        graph.ignored.insert(index)
        return false
    }

    /// Returns the referrers of the objects that are only part of relations. Empty if all objects
    /// are put in any case.
    private func leaders() -> [Int: [Int]] {
        guard nodes.contains(where: \.binding.mayIgnorePuts) else { return [:] }
        var leaders: [Int: [Int]] = [:]
        var free: Set<Int> = []
        for edit in edits {
            for case .node(let end) in edit.change.ends where !nodes[end].isRoot {
                switch edit.host {
                case .node(let host): leaders[end, default: []].append(host)
                case .id, .event: free.insert(end)
                }
            }
        }
        return leaders.filter { !free.contains($0.key) }
    }

    /// Removes old links. Not for lists: the positions of their elements are planned together with
    /// the new elements.
    private func takeAway(
        _ edit: Edit, _ outcome: GraphOutcome, in transaction: WriteTransaction
    ) throws(DaybookError) {
        guard outcome.hasLinks(edit.host) else { return }
        guard let end = try edit.relation.end(of: outcome.id(of: edit.host)) else { return }
        switch edit.change {
        case .target(nil): try transaction.changes.setTarget(end.relation, end.id, nil)
        case .members(let added, var removed, let isWhole):
            if isWhole {
                let kept = Set(added.map { outcome.id(of: $0) })
                removed = try transaction.changes.links(of: end).filter { !kept.contains($0) }
            }
            for id in removed { try transaction.changes.part(end, id) }
        case .target, .list: break
        }
    }

    /// Adds the new links. Returns the positions of a list's elements.
    private func put(
        _ edit: Edit, _ outcome: GraphOutcome, in transaction: WriteTransaction
    ) throws(DaybookError) -> [[UInt8]] {
        guard outcome.hasLinks(edit.host) else { return [] }
        guard let end = try edit.relation.end(of: outcome.id(of: edit.host)) else { return [] }
        switch edit.change {
        case .target(let target):
            guard let target else { break }
            try transaction.changes.setTarget(end.relation, end.id, outcome.id(of: target))
        case .members(let added, _, _):
            for other in added { try transaction.changes.join(end, outcome.id(of: other)) }
        case .list(var base, let list, let isWhole):
            if isWhole { base = try transaction.changes.list(end.relation, end.id).map(\.position) }
            if edit.relation.type == .keyedObjects {
                return try putKeys(end, from: base, to: list, outcome, in: transaction)
            }
            let list = list.map {
                ListPlacement(position: $0.position, target: outcome.id(of: $0.target))
            }
            return try transaction.changes.setList(end.relation, end.id, from: base, to: list)
        }
        return []
    }

    /// Sets the keys of a map that changed, and returns all its keys. Keys that the object did not
    /// change keep the targets that other writers gave them.
    private func putKeys(
        _ end: LinkEnd, from base: [[UInt8]], to list: [Placement], _ outcome: GraphOutcome,
        in transaction: WriteTransaction
    ) throws(DaybookError) -> [[UInt8]] {
        let keys = list.map { $0.key ?? [] }
        let kept = Set(keys)
        var placed: [ListElement] = []
        for (key, element) in zip(keys, list) where element.position == nil {
            placed.append(ListElement(position: key, target: outcome.id(of: element.target)))
        }
        try transaction.changes.setKeys(
            end.relation, end.id, removing: base.filter { !kept.contains($0) }, placing: placed)
        return keys
    }
}

extension PendingChanges {
    /// Adds a link between an end and another object. In a list, it becomes the last element.
    fileprivate mutating func join(_ end: LinkEnd, _ other: Id) throws(DaybookError) {
        let (source, target) = end.isBackward ? (other, end.id) : (end.id, other)
        guard end.isList else { return _ = try link(end.relation, source, target) }
        let base = try list(end.relation, source)
        if base.contains(where: { $0.target == target }) { return }
        var placements = base.map { ListPlacement(position: $0.position, target: $0.target) }
        placements.append(ListPlacement(position: nil, target: target))
        _ = try setList(end.relation, source, from: base.map(\.position), to: placements)
    }

    /// Removes the link between an end and another object. In a list, removes all elements with
    /// that object.
    fileprivate mutating func part(_ end: LinkEnd, _ other: Id) throws(DaybookError) {
        let (source, target) = end.isBackward ? (other, end.id) : (end.id, other)
        guard end.isList else { return _ = try unlink(end.relation, source, target) }
        let gone = try list(end.relation, source).filter { $0.target == target }
        _ = try setList(end.relation, source, from: gone.map(\.position), to: [])
    }
}
