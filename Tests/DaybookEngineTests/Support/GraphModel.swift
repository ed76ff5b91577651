import DaybookEngine
import DaybookTestSupport

/// The expected content of a ``GraphStore``, in plain collections.
struct GraphModel: Equatable {
    typealias Relation = GraphStore.Relation

    var nodes: Set<UInt64> = []
    /// The targets of each source; those of lists in list order.
    var targets: [Relation: [UInt64: [UInt64]]] = [:]

    func targets(_ relation: Relation, _ source: UInt64) -> [UInt64] {
        targets[relation]?[source] ?? []
    }

    func sources(_ relation: Relation, _ target: UInt64) -> [UInt64] {
        (targets[relation] ?? [:]).filter { $0.value.contains(target) }.map(\.key).sorted()
    }

    mutating func link(_ relation: Relation, _ source: UInt64, _ target: UInt64) {
        if relation.isToOne { return set(relation, source, [target]) }
        let all = Set(targets(relation, source)).union([target])
        set(relation, source, all.sorted())
    }

    mutating func unlink(_ relation: Relation, _ source: UInt64, _ target: UInt64) {
        set(relation, source, targets(relation, source).filter { $0 != target })
    }

    mutating func set(_ relation: Relation, _ source: UInt64, _ all: [UInt64]) {
        targets[relation, default: [:]][source] = all.isEmpty ? nil : all
    }

    /// Removes a node by the rules of the store. Returns false and changes nothing if a rule
    /// refuses.
    mutating func remove(_ node: UInt64) -> Bool {
        var removed: Set<UInt64> = [node]
        var rest = [node]
        while let next = rest.popLast() {
            for other in sources(.parent, next) + targets(.owned, next)
            where removed.insert(other).inserted {
                rest.append(other)
            }
        }
        for node in removed where targets(.guarded, node).contains(where: { !removed.contains($0) })
        {
            return false
        }
        let before = self
        nodes.subtract(removed)
        for relation in Relation.allCases {
            for (source, all) in before.targets[relation] ?? [:] {
                set(
                    relation, source,
                    removed.contains(source) ? [] : all.filter { !removed.contains($0) })
            }
        }
        return true
    }

    /// Removes the nodes that had an owner during a transaction and have none at its end.
    mutating func removeOrphans(_ candidates: Set<UInt64>) {
        var rest = candidates
        while true {
            let due = rest.filter { nodes.contains($0) && sources(.owned, $0).isEmpty }.min()
            guard let due else { return }
            rest.remove(due)
            let owned = nodes.filter { !sources(.owned, $0).isEmpty }
            if remove(due) {
                // The nodes that it owned may be orphans now.
                rest.formUnion(owned)
            }
        }
    }
}
