import DaybookBytes
import DaybookEngine
import DaybookTesting

extension ModelState {
    func targets(_ relation: ObjectRelation, _ source: UInt64) -> [UInt64] {
        links[relation.rawValue][source] ?? []
    }

    mutating func set(_ relation: ObjectRelation, _ source: UInt64, _ targets: [UInt64]) {
        links[relation.rawValue][source] = targets.isEmpty ? nil : targets
    }

    /// Returns the sources that link to each target, ascending.
    func sources(_ relation: ObjectRelation) -> [UInt64: [UInt64]] {
        var found: [UInt64: [UInt64]] = [:]
        for (source, targets) in links[relation.rawValue].sorted(by: { $0.key < $1.key }) {
            for target in Set(targets) { found[target, default: []].append(source) }
        }
        return found
    }

    /// Removes an object with its links and the objects that cascading rules remove.
    mutating func remove(_ kind: ObjectKind, _ id: UInt64) {
        var removed: [Set<UInt64>] = ObjectKind.allCases.map { _ in [] }
        var rest = [(kind, id)]
        while let (kind, id) = rest.popLast() {
            guard removed[kind.rawValue].insert(id).inserted else { continue }
            guard kind == .note else { continue }
            rest += (sources(.chapter)[id] ?? []).map { (.note, $0) }
            rest += targets(.owned, id).map { (.mark, $0) }
        }
        for kind in ObjectKind.allCases {
            for id in removed[kind.rawValue] { objects[kind.rawValue][id] = nil }
        }
        for relation in ObjectRelation.allCases {
            let gone = removed[relation.target.rawValue]
            for (source, targets) in links[relation.rawValue] {
                let isGone = removed[ObjectKind.note.rawValue].contains(source)
                set(relation, source, isGone ? [] : targets.filter { !gone.contains($0) })
            }
        }
    }

    /// Applies the same relation change to a store and to this model.
    mutating func relate(
        _ change: WorkloadStep.RelationChange, to store: FaultStore,
        in transaction: WriteTransaction
    ) throws {
        let notes = ids(.note)
        guard !notes.isEmpty else { return }
        switch change {
        case .link(let relation, let pick, let targetPick):
            let candidates = ids(relation.target)
            guard !candidates.isEmpty else { return }
            let source = notes[Int(pick % UInt64(notes.count))]
            let target = candidates[Int(targetPick % UInt64(candidates.count))]
            let before = targets(relation, source)
            try store.link(
                relation, source, target, isNew: !before.contains(target), in: transaction)
            let all = relation.type == .toOne ? [target] : Set(before + [target]).sorted()
            set(relation, source, all)
        case .unlink(let relation, let pick):
            let linked = links[relation.rawValue].keys.sorted()
            guard !linked.isEmpty else { return }
            let source = linked[Int(pick % UInt64(linked.count))]
            let before = targets(relation, source)
            let target = before[Int(pick >> 32) % before.count]
            try store.unlink(relation, source, target, in: transaction)
            set(relation, source, before.filter { $0 != target })
        case .edit(let relation, let pick, let seed):
            let source = notes[Int(pick % UInt64(notes.count))]
            let before = targets(relation, source)
            var random = SeededGenerator(seed: seed)
            var wanted: [(target: UInt64, was: Int?)] = before.enumerated().map { ($1, $0) }
            for _ in 0...(random.next() % 3) {
                let place = Int(random.next() % UInt64(wanted.count + 1))
                switch random.next() % 4 {
                case 0 where place < wanted.count: wanted.remove(at: place)
                case 1: wanted.shuffle(using: &random)
                default:
                    let target = notes[Int(random.next() % UInt64(notes.count))]
                    wanted.insert((target, nil), at: place)
                }
            }
            try store.setList(relation, source, wanted, in: transaction)
            set(relation, source, wanted.map(\.target))
        }
    }
}
