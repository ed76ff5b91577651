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
        let keys = Set(placed.map(\.position))
        for key in removed where !keys.contains(key) { try clear(key, of: source, known) }
        for element in placed {
            let now = try target(atKey: element.position, of: source, known)
            if now == element.target { continue }
            try clear(element.position, of: source, known)
            let entry = ListEntry(
                relation: relation, source: source, target: element.target,
                position: element.position)
            add(.listInsert, entry, known)
        }
    }

    private mutating func clear(
        _ key: [UInt8], of source: UInt64, _ relation: Schema.Relation
    ) throws(DaybookError) {
        guard let target = try target(atKey: key, of: source, relation) else { return }
        take(ListElement(position: key, target: target), from: source, relation)
    }

    /// The target of a key in the state of this transaction; nil if the source has no such key.
    mutating func target(
        atKey key: [UInt8], of source: UInt64, _ relation: Schema.Relation
    ) throws(DaybookError) -> UInt64? {
        let number = relation.relationID
        let entry = ListEntry(relation: number, source: source, target: 0, position: key)
        var found = try withBase { (reader) throws(DaybookError) in
            try reader.get(IndexTree.list(of: number), bytes: entry.forwardKey.span)
        }
        let end = LinkEnd(relation, isBackward: false, id: source)
        for link in touchedLinks(end) where link.position == key {
            if try isThere(link, relation) {
                found = link.target
            } else if found == link.target {
                found = nil
            }
        }
        return found
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
