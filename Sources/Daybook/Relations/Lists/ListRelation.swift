import DaybookBytes
import DaybookEngine
import DaybookRecords

/// The links of a list of objects: the stored position of each object, and the changes since the
/// last put. The `List` of DaybookRealm uses it, and also `Map`, whose elements have keys.
package final class ListRelation<Element> {
    struct Slot {
        var element: Element
        /// The id of the stored object; 0 for an object that was added since the last put.
        var id: Id
        /// The position in the stored list; nil for an object that was added since the last put.
        var position: [UInt8]?
        /// The key of an element of a map; nil in a list.
        var key: String?
        let token: Int
        /// Whether the object was put in a transaction that was then rolled back. The object keeps
        /// its id but is not stored.
        var isTakenBack = false
    }

    /// The operations that require the element to be an entity. The closures have no captures.
    struct Access {
        var read: (Attachment) throws -> [(ListElement, Element)]
        var id: (Element) -> Id
        var add: (Element, inout GraphBuilder) throws -> Int
        var target: any Entity.Type
        /// Whether the elements have keys.
        var isKeyed = false
    }

    let access: Access
    /// The stored links of the list; nil until the object that has the list is put.
    private(set) var attachment: Attachment?
    /// The positions that the store had when the list was last read or written; nil if they are
    /// unknown. If it is nil, the slots are additions.
    private var base: [[UInt8]]?
    /// Whether a put wrote the base and no read followed. The next use reads the list.
    private var isStale = false
    /// The last commit in which a put wrote the list.
    private var settled = SettledCommit()
    var slots: [Slot] = [] {
        didSet { slotsVersion &+= 1 }
    }
    /// Changes with each change of the slots.
    package private(set) var slotsVersion = 0
    /// The indexes of the slots by key, in the state with the version.
    var places: (slotsVersion: Int, indexes: [String: Int]) = (-1, [:])
    /// Whether the slots replace all stored elements.
    private var isWhole: Bool
    private var isChanged: Bool
    /// The read error that prevented a change. While it is set, a put writes nothing and throws
    /// it.
    private var lostChange: DaybookError?
    package private(set) var failure: DaybookError?
    private var generation = 0
    /// Counts resets.
    private var resetCount = 0
    /// Counts how often the list became whole.
    private var replaceCount = 0
    /// The transaction that put the list. Its rollback also undoes reads that were made in it.
    private weak var settling: WriteTransaction?
    private var tokenCount = 0

    init(_ attachment: Attachment?, _ access: Access) {
        self.attachment = attachment
        self.access = access
        (isWhole, isChanged) = (false, false)
    }

    /// - Parameter isSet: Whether the elements are the whole list. Otherwise the stored elements
    ///   are unknown.
    init(_ elements: [Element], isSet: Bool, _ access: Access) {
        self.access = access
        (isWhole, isChanged) = (isSet, isSet)
        slots = elements.map { slot($0) }
    }

    deinit {
        if !slots.isEmpty { DeferredRelease.release(now: { slots = [] }, later: slots) }
    }

    init(keyed elements: [(key: String, element: Element)], isSet: Bool, _ access: Access) {
        self.access = access
        (isWhole, isChanged) = (isSet, isSet)
        slots = elements.map { slot($0.element, key: $0.key) }
    }

    func slot(
        _ element: Element, _ id: Id = 0, _ position: [UInt8]? = nil, key: String? = nil
    ) -> Slot {
        tokenCount += 1
        return Slot(element: element, id: id, position: position, key: key, token: tokenCount)
    }

    package var isResolved: Bool { attachment == nil || isWhole || (base != nil && !isStale) }

    /// Reads the list, unless it is in memory.
    package func resolve() throws {
        guard let unread = unread() else { return }
        do {
            let read = try access.read(unread.attachment)
            keep(read, unread)
            failure = nil
        } catch {
            failure = DaybookError(reading: error)
            throw error
        }
    }

    /// The input of a read of the list.
    struct Unread {
        var attachment: Attachment
        /// Whether the read does not see the elements that a put wrote. The next use reads again.
        var isOutdated: Bool
    }

    /// Returns the input of a read; nil if no read is needed, or if a read would not see the
    /// elements in memory, because a put wrote them.
    func unread() -> Unread? {
        guard let attachment, !isResolved else { return nil }
        let isOutdated = settled.isAhead(of: attachment)
        if isOutdated, base != nil { return nil }
        return Unread(attachment: attachment, isOutdated: isOutdated)
    }

    /// Merges the read elements with the added ones. Objects in memory stay the same objects.
    func keep(_ read: [(ListElement, Element)], _ unread: Unread) {
        guard !isResolved else { return }
        var held: [Id: Element] = [:]
        for slot in slots where slot.position != nil { held[id(of: slot)] = slot.element }
        let known = Dictionary(
            slots.compactMap { slot in slot.position.map { ($0, slot) } },
            uniquingKeysWith: { first, _ in first })
        let gone = Set(base ?? []).subtracting(known.keys)
        base = read.map(\.0.position)
        // A key that was set since has another object.
        let set = Set(slots.lazy.filter { $0.position == nil }.compactMap(\.key))
        let stored = read.compactMap { element, object -> Slot? in
            if gone.contains(element.position) { return nil }
            let key = access.isKeyed ? LinkKey.key(of: element.position) : nil
            if let key, set.contains(key) { return nil }
            // The same element keeps its token, so that a rollback can find it.
            if let slot = known[element.position], id(of: slot) == element.target { return slot }
            return slot(held[element.target] ?? object, element.target, element.position, key: key)
        }
        slots = stored + slots.filter { $0.position == nil }
        isStale = unread.isOutdated
        forgetWhenAbandoned()
    }

    /// Discards the elements that were read in a transaction if the transaction is rolled back. A
    /// put of the list in the same transaction undoes its reads itself.
    private func forgetWhenAbandoned() {
        guard let attachment, attachment.isCurrent,
            let transaction = attachment.types.engine.changingTransaction,
            transaction !== settling
        else { return }
        let (resetCount, generation) = (resetCount, generation)
        transaction.whenAbandoned { [weak self] in
            guard let self, self.resetCount == resetCount, self.generation == generation else {
                return
            }
            self.forgetRead()
        }
    }

    package func reset() {
        guard attachment != nil else { return }
        (base, slots, isWhole, isChanged) = (nil, [], false, false)
        (lostChange, failure, isStale) = (nil, nil, false)
        resetCount += 1
    }

    /// Discards the read elements, because the store does not have them. Additions stay.
    private func forgetRead() {
        guard base != nil else { return }
        (base, isStale) = (nil, false)
        slots.removeAll { $0.position != nil }
        isChanged = isWhole || !slots.isEmpty
    }

    /// The id of the object in a slot; 0 if it is not stored.
    func id(of slot: Slot) -> Id { slot.id != 0 ? slot.id : access.id(slot.element) }

    // MARK: Editing

    /// Reads the list before a change. Returns `false` if the list cannot be read. The caller must
    /// not make the change then, and the next put throws the error.
    func isReadForChange() -> Bool {
        do {
            try resolve()
            return true
        } catch {
            lostChange = failure
            return false
        }
    }

    func changed() {
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
        // The content no longer depends on earlier changes that failed. All elements that the store
        // has when the list is put are removed.
        if isReadForChange() { lostChange = nil }
        (slots, isWhole) = ([], true)
        replaceCount += 1
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

    /// The changes of the list that a put writes, and the state of the list at that time.
    private struct Noted {
        var edit: Int?
        var generation: Int
        var resetCount: Int
        var replaceCount: Int
        var targets: [(token: Int, end: EncodedGraph.End)]
        var knowsAll: Bool
    }

    func note(in puts: inout GraphBuilder, of host: GraphHost) throws {
        try host.requireSameStore(attachment)
        try host.relation.require(access.target)
        let isOwn = host.isHost(of: attachment)
        if let lostChange { throw lostChange }
        if isOwn, !isChanged {
            let renewed = host.renewed(attachment)
            let isRead = base != nil && attachment?.isCurrent == true
            guard renewed != nil || isRead else { return }
            puts.whenPut { _ in
                if let renewed { self.attachment = renewed }
                self.isStale = self.base != nil
                return nil
            }
            return
        }
        // The list of another object is copied as a whole, so it must be read.
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
        let name = host.relation.name
        if isOwn || replacesAll || !targets.isEmpty {
            let placements = try zip(slots, targets).map { slot, target in
                EncodedGraph.Placement(
                    position: isForeign ? nil : slot.position,
                    key: try slot.key.map { try LinkKey.requirePosition(of: $0, in: name) },
                    target: target.end)
            }
            edit = puts.note(
                .list(from: isOwn ? base ?? [] : [], to: placements, isWhole: replacesAll), of: host
            )
        }
        let noted = Noted(
            edit: edit, generation: generation, resetCount: resetCount,
            replaceCount: replaceCount, targets: targets,
            knowsAll: isWhole || isForeign || host.isNew || base != nil)
        puts.whenPut { self.settle(host, noted, $0) }
    }

    /// Attaches the list to its object, and clears the changes that the put wrote. Returns a
    /// closure that undoes both if the transaction is rolled back.
    private func settle(
        _ host: GraphHost, _ noted: Noted, _ outcome: GraphOutcome
    ) -> (() -> Void)? {
        let before = (attachment, base, slots, isWhole, isChanged, isStale, settled)
        attachment = host.attachment(after: outcome) ?? attachment
        // A reset during the put discarded the elements that the put wrote.
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
            // The other elements are unknown: the next use reads them.
            slots.removeAll { put[$0.token] != nil }
        }
        // A change during the put is a difference from the written list.
        isChanged = generation != noted.generation
        isWhole = replaceCount != noted.replaceCount
        isStale = base != nil && !isChanged
        settling = host.types.engine.changingTransaction
        settled.note(settling, of: host.types.engine)
        var new: Set<Int> = []
        for case (let token, .node) in noted.targets { new.insert(token) }
        return {
            (self.attachment, self.settled) = (before.0, before.6)
            self.settling = nil
            if self.resetCount != noted.resetCount { return self.forgetRead() }
            self.base = before.1
            self.isStale = before.5
            self.isWhole = before.3 || self.isWhole
            self.isChanged = before.4 || self.generation != noted.generation
            self.rollBack(
                before.2, new, isExact: self.generation == noted.generation,
                isContinued: before.1 != nil || noted.knowsAll)
        }
    }

    /// Restores the slots that the list had before a put. Later changes stay.
    ///
    /// - Parameters:
    ///   - new: The tokens of the objects that the put stored.
    ///   - isExact: Whether the list did not change after the put.
    ///   - isContinued: Whether the list kept the slots after the put.
    private func rollBack(
        _ before: [Slot], _ new: Set<Int>, isExact: Bool, isContinued: Bool
    ) {
        let old = Dictionary(
            before.map { ($0.token, $0) }, uniquingKeysWith: { first, _ in first })
        if isExact || (!isContinued && !isWhole) {
            // Elements that were read in the transaction are not in the store.
            slots = before + slots.filter { $0.position == nil && old[$0.token] == nil }
        } else {
            slots.removeAll { $0.position != nil && old[$0.token] == nil }
        }
        for index in slots.indices {
            guard var slot = old[slots[index].token] else { continue }
            slot.isTakenBack = slot.isTakenBack || new.contains(slot.token)
            slots[index] = slot
        }
    }
}
