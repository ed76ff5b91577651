import DaybookBytes
import DaybookEngine

/// The links of a list of objects: the stored position of each object, and the changes since the
/// last put. The `List` of DaybookRealm is built on it.
package final class ListRelation<Element> {
    struct Slot {
        var element: Element
        /// The id that the object is stored under; 0 for an object that was added since.
        var id: Id
        /// The position in the stored list; nil for an object that was added since.
        var position: [UInt8]?
        let token: Int
        /// Whether it was put in a transaction that was then rolled back: it keeps its id, and is
        /// not stored.
        var isTakenBack = false
    }

    /// The operations that need the element to be an entity. None of the closures captures
    /// anything.
    struct Access {
        var read: (Attachment) throws -> [(ListElement, Element)]
        var id: (Element) -> Id
        var add: (Element, inout GraphBuilder) throws -> Int
        var target: any Entity.Type
    }

    let access: Access
    /// Where the list is kept; nil until the object that has it is put.
    private(set) var attachment: Attachment?
    /// The positions that are known to be the store's; nil where they were not read: then the slots
    /// are what was added.
    private var base: [[UInt8]]?
    private(set) var slots: [Slot] = []
    /// Whether the slots take the place of whatever the store has.
    private var isWhole: Bool
    private var isChanged: Bool
    /// Why a change could not be made: the list could not be read. Nothing is written then.
    private var lostChange: DaybookError?
    package private(set) var failure: DaybookError?
    private var generation = 0
    /// Counts how often everything was forgotten.
    private var resetCount = 0
    private var tokenCount = 0

    init(_ attachment: Attachment?, _ access: Access) {
        self.attachment = attachment
        self.access = access
        (isWhole, isChanged) = (false, false)
    }

    /// - Parameter isSet: whether the elements are to be all; else nothing is known of the list.
    init(_ elements: [Element], isSet: Bool, _ access: Access) {
        self.access = access
        (isWhole, isChanged) = (isSet, isSet)
        slots = elements.map { slot($0) }
    }

    deinit {
        if !slots.isEmpty { DeferredRelease.empty(&slots, leaving: []) }
    }

    private func slot(_ element: Element, _ id: Id = 0, _ position: [UInt8]? = nil) -> Slot {
        tokenCount += 1
        return Slot(element: element, id: id, position: position, token: tokenCount)
    }

    package var isResolved: Bool { attachment == nil || base != nil }

    /// Reads the list, unless it was read.
    package func resolve() throws {
        guard let attachment, base == nil else { return }
        do {
            let read = try access.read(attachment)
            keep(read)
            failure = nil
        } catch {
            failure = DaybookError(reading: error)
            throw error
        }
    }

    func keep(_ read: [(ListElement, Element)]) {
        guard base == nil else { return }
        base = read.map(\.0.position)
        slots = read.map { slot($0.1, $0.0.target, $0.0.position) } + slots
    }

    package func reset() {
        guard attachment != nil else { return }
        (base, slots, isWhole, isChanged) = (nil, [], false, false)
        (lostChange, failure) = (nil, nil)
        resetCount += 1
    }

    /// Forgets what was read, which is not what the store has after all; what was added stays.
    private func forgetRead() {
        guard base != nil else { return }
        base = nil
        slots.removeAll { $0.position != nil }
        isChanged = isWhole || !slots.isEmpty
    }

    /// The id of what stands in a slot; 0 where it is not stored.
    func id(of slot: Slot) -> Id { slot.id != 0 ? slot.id : access.id(slot.element) }

    // MARK: Editing

    /// Reads the list for a change to it. False where it cannot be read: it is not known then what
    /// the change is, so it is not made, and the next put throws why.
    private func isReadForChange() -> Bool {
        do {
            try resolve()
            return true
        } catch {
            lostChange = failure
            return false
        }
    }

    private func changed() {
        isChanged = true
        generation += 1
    }

    package func append(_ elements: [Element]) {
        if elements.isEmpty { return }
        slots += elements.map { slot($0) }
        changed()
    }

    package func replaceSubrange(
        _ range: some RangeExpression<Int>, with elements: [Element]
    ) {
        guard isReadForChange() else { return }
        slots.replaceSubrange(range.relative(to: slots), with: elements.map { slot($0) })
        changed()
    }

    package func removeAll() {
        // Whatever could not be done before, this is what it is to be now.
        if isReadForChange() { lostChange = nil }
        slots = []
        changed()
    }

    package func removeAll(where condition: (Element) throws -> Bool) rethrows {
        guard isReadForChange() else { return }
        let gone = Set(try slots.filter { try condition($0.element) }.map(\.token))
        slots.removeAll { gone.contains($0.token) }
        changed()
    }

    package func move(from source: Int, to destination: Int) {
        guard isReadForChange() else { return }
        slots.insert(slots.remove(at: source), at: destination)
        changed()
    }

    package func swapAt(_ one: Int, _ other: Int) {
        guard isReadForChange() else { return }
        slots.swapAt(one, other)
        changed()
    }

    // MARK: Putting

    /// What a put was told of.
    private struct Noted {
        var edit: Int?
        var generation: Int
        var resetCount: Int
        var targets: [(token: Int, end: EncodedGraph.End)]
        var knowsAll: Bool
    }

    func note(in puts: inout GraphBuilder, of host: GraphHost) throws {
        try host.requireSameStore(attachment)
        try host.relation.require(access.target)
        let isOwn = host.isHost(of: attachment)
        if let lostChange { throw lostChange }
        if isOwn, !isChanged {
            if let renewed = host.renewed(attachment) {
                puts.whenPut { _ in
                    self.attachment = renewed
                    return nil
                }
            }
            return
        }
        // It came from another object, and stands for all that is there.
        let isForeign = attachment != nil && !isOwn
        if isForeign { try resolve() }
        let replacesAll = (isWhole || isForeign) && !host.isNew
        var targets: [(token: Int, end: EncodedGraph.End)] = []
        for slot in slots {
            let id = id(of: slot)
            targets.append(
                (
                    slot.token,
                    id != 0 && !slot.isTakenBack
                        ? .id(id) : .node(try access.add(slot.element, &puts))
                ))
        }
        var edit: Int?
        if isOwn || replacesAll || !targets.isEmpty {
            let placements = zip(slots, targets).map { slot, target in
                EncodedGraph.Placement(
                    position: isForeign ? nil : slot.position, target: target.end)
            }
            edit = puts.note(
                .list(from: isOwn ? base ?? [] : [], to: placements, isWhole: replacesAll), of: host
            )
        }
        let noted = Noted(
            edit: edit, generation: generation, resetCount: resetCount, targets: targets,
            knowsAll: isWhole || isForeign || host.isNew || base != nil)
        puts.whenPut { self.settle(host, noted, $0) }
    }

    /// Attaches it to its host; what was put is no change any more.
    private func settle(
        _ host: GraphHost, _ noted: Noted, _ outcome: GraphOutcome
    ) -> (() -> Void)? {
        let before = (attachment, base, slots, isWhole, isChanged)
        attachment = host.attachment(after: outcome) ?? attachment
        // What was put was forgotten since: what it shows now is none of that.
        if resetCount != noted.resetCount { return { self.attachment = before.0 } }
        let positions = noted.edit.map { outcome.positions[$0] } ?? []
        var put: [Int: (Id, [UInt8]?)] = [:]
        for (index, target) in noted.targets.enumerated() {
            put[target.token] = (
                outcome.id(of: target.end), index < positions.count ? positions[index] : nil
            )
        }
        for index in slots.indices {
            guard let (id, position) = put[slots[index].token] else { continue }
            (slots[index].id, slots[index].position) = (id, position)
            slots[index].isTakenBack = false
        }
        if noted.knowsAll {
            base = positions
        } else {
            // What else the store has is not known: the next use reads it.
            slots.removeAll { put[$0.token] != nil }
        }
        isWhole = false
        isChanged = generation != noted.generation
        // What was empty may stay as it is: nothing was written for it.
        if noted.edit == nil, before.0 == nil { return nil }
        return {
            self.attachment = before.0
            if self.resetCount != noted.resetCount { return self.forgetRead() }
            self.base = before.1
            self.isWhole = before.3
            self.isChanged = before.4 || self.generation != noted.generation
            let old = Dictionary(
                before.2.map { ($0.token, $0) }, uniquingKeysWith: { first, _ in first })
            // What was not known of the list is not in it any more: what was put comes back.
            if before.1 == nil, !noted.knowsAll { self.slots = before.2 + self.slots }
            for index in self.slots.indices {
                guard var slot = old[self.slots[index].token] else { continue }
                slot.isTakenBack = slot.id == 0
                self.slots[index] = slot
            }
        }
    }
}
