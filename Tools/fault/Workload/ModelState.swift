/// An event of a store.
struct ModelEvent: Equatable {
    var sequence: UInt64
    var row: [UInt8]
}

/// The expected content of a store, as plain dictionaries.
struct ModelState: Equatable {
    /// The rows of each kind, by id.
    var objects: [[UInt64: [UInt8]]] = ObjectKind.allCases.map { _ in [:] }
    /// The targets of each note, by relation: ascending, or in list order.
    var links: [[UInt64: [UInt64]]] = ObjectRelation.allCases.map { _ in [:] }
    /// The lowest unused id of each kind.
    var nextIds: [UInt64] = ObjectKind.allCases.map { _ in 1 }
    /// The events that must be in the log, by number.
    var events: [UInt64: ModelEvent] = [:]
    /// The events that a compaction drops, or has dropped: a crash may keep some.
    private(set) var fadingEvents: [UInt64: ModelEvent] = [:]
    /// The lowest unused number of events.
    private(set) var nextEvent: UInt64 = 1

    /// Returns the ids of a kind, ascending, so that an index selects the same id in every run.
    func ids(_ kind: ObjectKind) -> [UInt64] { objects[kind.rawValue].keys.sorted() }

    mutating func put(_ kind: ObjectKind, _ id: UInt64, _ row: [UInt8]) {
        objects[kind.rawValue][id] = row
        nextIds[kind.rawValue] = max(nextIds[kind.rawValue], id + 1)
    }

    mutating func append(_ number: UInt64, _ event: ModelEvent) {
        events[number] = event
        nextEvent = max(nextEvent, number + 1)
    }

    /// Begins to drop the events up to a sequence.
    mutating func dropEvents(until floor: UInt64) {
        for (number, event) in events where event.sequence <= floor {
            fadingEvents[number] = event
            events[number] = nil
        }
    }

    /// Ends the dropping of the events up to a sequence: none of them is in the log any more.
    mutating func settleEvents(until floor: UInt64) {
        fadingEvents = fadingEvents.filter { $0.value.sequence > floor }
    }

    private func eventDifference(from found: ModelState) -> String? {
        let missing = events.filter { found.events[$0.key] != $0.value }.keys.sorted()
        let surplus = found.events.filter { number, event in
            events[number] != event && fadingEvents[number] != event
        }.keys.sorted()
        guard !missing.isEmpty || !surplus.isEmpty else { return nil }
        return "events: missing \(missing), not expected \(surplus)"
    }

    /// Returns a description of the first difference from `found`; nil if objects, links and events
    /// are equal.
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
        return eventDifference(from: found)
    }
}

/// The state after each transaction: element `n` is the state after sequence `n`.
struct ModelHistory {
    private(set) var states = [ModelState()]

    /// The sequence of the last issued transaction.
    var sequence: UInt64 { UInt64(states.count - 1) }
    var last: ModelState { states[states.count - 1] }

    /// Appends the state after the next transaction.
    mutating func append(_ state: ModelState) { states.append(state) }

    /// Appends transactions without changes up to `sequence`.
    mutating func pad(to sequence: UInt64) {
        while self.sequence < sequence { states.append(last) }
    }

    /// Appends transactions without changes up to `sequence`, if there are any, and begins to drop
    /// the events up to a sequence with the first.
    mutating func pad(to sequence: UInt64, droppingEventsUntil floor: UInt64) {
        guard sequence > self.sequence else { return }
        var state = last
        state.dropEvents(until: floor)
        states.append(state)
        pad(to: sequence)
    }

    /// Drops the transactions after `sequence`, which the store did not recover.
    mutating func cut(after sequence: UInt64) {
        states.removeLast(states.count - 1 - Int(sequence))
    }

    subscript(sequence: UInt64) -> ModelState { states[Int(sequence)] }
}
