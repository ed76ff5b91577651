import DaybookBytes
import DaybookRecords

/// The keys that more than one object had since uniqueness checks were deferred; see
/// ``WriteTransaction/deferringUniqueness(_:)``.
struct ContestedKeys {
    struct Place: Hashable {
        var entity: UInt32
        var index: UInt32
        var key: IndexKey
    }

    private(set) var owners: [Place: Set<UInt64>] = [:]

    func contains(_ place: Place) -> Bool { owners[place] != nil }

    mutating func insert(_ id: UInt64, at place: Place) { owners[place, default: []].insert(id) }
}

// A migration or an update puts one object after another, so uniqueness is checked only at its end.
extension PendingChanges {
    /// Records the keys of an object that other objects may have, too.
    mutating func contest(
        _ keys: [IndexKey], _ entity: UInt32, _ id: UInt64
    ) throws(DaybookError) {
        guard contested != nil, let indexes = keyReaders[entity]?.uniqueIndexes else { return }
        for (index, key) in zip(indexes, keys) where !key.hasNull {
            let place = ContestedKeys.Place(entity: entity, index: index.indexID, key: key)
            if let owner = try owner(entity, index, key), owner != id {
                contested?.insert(owner, at: place)
                contested?.insert(id, at: place)
            } else if contested?.contains(place) == true {
                contested?.insert(id, at: place)
            }
        }
    }

    /// Resumes uniqueness checks. Throws `.uniqueViolation` if two objects now have the same key,
    /// and the errors of reading their rows. Cost: reads the rows of the objects that shared a key.
    mutating func settleContests() throws(DaybookError) {
        guard let contested = contested.take() else { return }
        for (place, ids) in contested.owners {
            guard let reader = keyReaders[place.entity],
                let number = reader.uniqueIndexes.firstIndex(where: { $0.indexID == place.index })
            else { continue }
            var owner: UInt64?
            for id in ids.sorted() {
                let keys = try certainUniqueKeys(place.entity, id)
                guard number < keys.count, keys[number] == place.key else { continue }
                guard let first = owner else {
                    owner = id
                    continue
                }
                throw try duplicate(place, reader, number, first, id)
            }
            // The last object to give up the key may not be the one that was its owner.
            owners.set(
                place.index, place.key, owner.map { .object($0) } ?? .nobody,
                operation: operations.count)
        }
    }

    private mutating func duplicate(
        _ place: ContestedKeys.Place, _ reader: KeyReader, _ number: Int, _ one: UInt64,
        _ other: UInt64
    ) throws(DaybookError) -> DaybookError {
        let index = reader.uniqueIndexes[number]
        var text = "?"
        if let row = try row(place.entity, one) {
            text = valueText(of: row.bytes, row.layout, index, reader.plan)
        }
        let entity = reader.plan.layout.layout.entityName
        let properties = reader.plan.columnNames(index)
        return DaybookError(
            .uniqueViolation,
            "The objects \(one) and \(other) of \(entity) would have the same value \(text) of"
                + " \(properties), which is unique. Nothing is changed. Correct the migration or"
                + " the update so that each object has a value of its own.",
            details: [
                "entity": entity, "property": properties, "value": text, "id": String(other),
                "conflictingId": String(one),
            ])
    }
}

extension WriteTransaction {
    /// Runs `body`, in which objects may temporarily share unique values. Throws `.uniqueViolation`
    /// if two objects share a value at the end. If it throws, the changes must be rolled back.
    package func deferringUniqueness(_ body: () throws -> Void) throws {
        changes.contested = ContestedKeys()
        defer { changes.contested = nil }
        try body()
        try changes.settleContests()
    }
}
