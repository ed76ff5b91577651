/// What a store must answer, as plain dictionaries.
struct ModelState: Equatable {
    /// Rows by id, for each kind of object.
    var objects: [[UInt64: [UInt8]]] = ObjectKind.allCases.map { _ in [:] }
    /// The targets of each note, by relation: ascending, or in the order of a list.
    var links: [[UInt64: [UInt64]]] = ObjectRelation.allCases.map { _ in [:] }
    /// The lowest id of each kind that no object ever had.
    var nextIds: [UInt64] = ObjectKind.allCases.map { _ in 1 }

    /// The ids of a kind, ascending, so that a number picks the same one in every run.
    func ids(_ kind: ObjectKind) -> [UInt64] { objects[kind.rawValue].keys.sorted() }

    mutating func put(_ kind: ObjectKind, _ id: UInt64, _ row: [UInt8]) {
        objects[kind.rawValue][id] = row
        nextIds[kind.rawValue] = max(nextIds[kind.rawValue], id + 1)
    }

    /// How `found` differs, in words; nil where its objects and links are the same.
    func difference(from found: ModelState) -> String? {
        for kind in ObjectKind.allCases {
            let (wanted, got) = (objects[kind.rawValue], found.objects[kind.rawValue])
            if wanted == got { continue }
            let missing = wanted.keys.filter { got[$0] == nil }.sorted()
            let surplus = got.keys.filter { wanted[$0] == nil }.sorted()
            let changed = wanted.keys.filter { got[$0] != nil && got[$0] != wanted[$0] }.sorted()
            return "\(kind.name): missing \(missing), not expected \(surplus), changed \(changed)"
        }
        for relation in ObjectRelation.allCases {
            let (wanted, got) = (links[relation.rawValue], found.links[relation.rawValue])
            let differing = Set(wanted.keys).union(got.keys).filter { wanted[$0] != got[$0] }
            guard let source = differing.min() else { continue }
            return "\(relation) of note \(source): wanted \(wanted[source] ?? []),"
                + " found \(got[source] ?? [])"
        }
        return nil
    }
}

/// The state after each transaction: element `n` is the one after sequence `n`.
struct ModelHistory {
    private(set) var states = [ModelState()]

    /// The last transaction that was issued.
    var sequence: UInt64 { UInt64(states.count - 1) }
    var last: ModelState { states[states.count - 1] }

    /// The next transaction leads to `state`.
    mutating func append(_ state: ModelState) { states.append(state) }

    /// Transactions that change no object were issued up to `sequence`.
    mutating func pad(to sequence: UInt64) {
        while self.sequence < sequence { states.append(last) }
    }

    /// Everything after `sequence` never happened.
    mutating func cut(after sequence: UInt64) {
        states.removeLast(states.count - 1 - Int(sequence))
    }

    subscript(sequence: UInt64) -> ModelState { states[Int(sequence)] }
}
