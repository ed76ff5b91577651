package import DaybookBytes
import DaybookRecords
import DaybookPages

// Relations with keys in a transaction. The position of a link is its key: see ``LinkKey``.
extension PendingChanges {
    /// Removes the links of some keys, and sets the targets of others. Other keys keep their
    /// targets, and a key that already has its target is not written.
    ///
    /// Throws `.notFound` if the source or a target does not exist, and `.invalidArgument` for a
    /// relation without keys. Cost: a lookup for each key, and the changes of the source's links in
    /// this transaction.
    package mutating func setKeys(
        _ relation: UInt32, _ source: UInt64, removing removed: [[UInt8]],
        placing placed: [ListElement]
    ) throws(DaybookError) {
        try requireUsable()
        let known = try keyedRelation(relation)
        try require(source, known.entityID, known)
        for element in placed { try require(element.target, known.targetEntityID, known) }
        var links = try KeyedLinks(of: source, known, in: &self)
        let keys = Set(placed.map(\.position))
        for key in removed where !keys.contains(key) { try clear(key, known, &links) }
        for element in placed {
            let now = try links.target(element.position, in: &self)
            if now == element.target { continue }
            try clear(element.position, known, &links)
            add(.listInsert, links.insert(element), known)
        }
    }

    private mutating func clear(
        _ key: [UInt8], _ relation: Schema.Relation, _ links: inout KeyedLinks
    ) throws(DaybookError) {
        guard let target = try links.target(key, in: &self) else { return }
        let element = ListElement(position: key, target: target)
        links.remove(element)
        take(element, from: links.source, relation)
    }

    /// The target of a key in the state of this transaction; nil if the source has no such key.
    /// Cost: a lookup, and the changes of the source's links in this transaction.
    mutating func target(
        atKey key: [UInt8], of source: UInt64, _ relation: Schema.Relation
    ) throws(DaybookError) -> UInt64? {
        try KeyedLinks(of: source, relation, in: &self).target(key, in: &self)
    }

    private func keyedRelation(_ id: UInt32) throws(DaybookError) -> Schema.Relation {
        let known = try relation(id, isList: true)
        guard known.type == .keyedObjects else {
            throw DaybookError(
                .invalidArgument,
                "\(engine.schemas.schema.relationName(id)) has no keys.",
                details: ["relation": String(id)])
        }
        return known
    }

    /// Throws `.invalidArgument` for a relation with keys, whose links cannot be added without one.
    func requireNoKeys(_ relation: Schema.Relation) throws(DaybookError) {
        guard relation.type == .keyedObjects else { return }
        let name = engine.schemas.schema.relationName(relation.relationID)
        throw DaybookError(
            .invalidArgument,
            "\(name) is a map, so each of its objects needs a key. Change the map itself.",
            details: ["relation": String(relation.relationID)])
    }
}

/// The links of a source with keys in a transaction: its changes, on top of the stored links.
private struct KeyedLinks {
    let relation: UInt32
    let source: UInt64
    /// The targets that the transaction set.
    private var set: [[UInt8]: UInt64] = [:]
    /// The links that the transaction removed.
    private var removed: Set<ListEntry> = []

    init(
        of source: UInt64, _ relation: Schema.Relation, in changes: inout PendingChanges
    ) throws(DaybookError) {
        self.relation = relation.relationID
        self.source = source
        for link in changes.touchedLinks(LinkEnd(relation, isBackward: false, id: source)) {
            if try changes.isThere(link, relation) {
                set[link.position] = link.target
            } else {
                removed.insert(link)
            }
        }
    }

    func target(
        _ key: [UInt8], in changes: inout PendingChanges
    ) throws(DaybookError) -> UInt64? {
        if let target = set[key] { return target }
        var entry = ListEntry(relation: relation, source: source, target: 0, position: key)
        let tree = IndexTree.list(of: relation)
        let stored = try changes.withBase { (reader) throws(DaybookError) in
            try reader.get(tree, bytes: entry.forwardKey.span)
        }
        guard let stored else { return nil }
        entry.target = stored
        return removed.contains(entry) ? nil : stored
    }

    mutating func remove(_ element: ListElement) {
        set[element.position] = nil
        removed.insert(entry(element))
    }

    mutating func insert(_ element: ListElement) -> ListEntry {
        let entry = entry(element)
        set[element.position] = element.target
        removed.remove(entry)
        return entry
    }

    private func entry(_ element: ListElement) -> ListEntry {
        ListEntry(
            relation: relation, source: source, target: element.target, position: element.position)
    }
}
