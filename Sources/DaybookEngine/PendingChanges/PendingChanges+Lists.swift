package import DaybookBytes
import DaybookRecords
import DaybookPages

// Lists in a transaction.
extension PendingChanges {
    /// The maximum length of a position. A longer one renumbers the list.
    private static let positionLengthMax = 64

    /// The elements of a list, in order, in the state of this transaction.
    package mutating func list(
        _ relation: UInt32, _ source: UInt64
    ) throws(DaybookError) -> [ListElement] {
        try requireUsable()
        let base = try withBase { (reader) throws(DaybookError) in
            try reader.list(relation, source)
        }
        let touched = touchedLinks(
            LinkEnd(relation: relation, isBackward: false, id: source, isList: true))
        guard !touched.isEmpty, let known = engine.schemas.relation(relation) else { return base }
        var elements = base.filter { element in
            !touched.contains(
                ListEntry(
                    relation: relation, source: source, target: element.target,
                    position: element.position))
        }
        for entry in touched where try isThere(entry, known) {
            elements.append(ListElement(position: entry.position, target: entry.target))
        }
        elements.sort { $0.position.lexicographicallyPrecedes($1.position) }
        return elements
    }

    /// The elements of lists that contain an object, in the state of this transaction.
    mutating func listings(
        _ relation: UInt32, _ target: UInt64
    ) throws(DaybookError) -> [ListEntry] {
        let base = try withBase { (reader) throws(DaybookError) in
            try reader.listings(relation, target)
        }
        let touched = touchedLinks(
            LinkEnd(relation: relation, isBackward: true, id: target, isList: true))
        guard !touched.isEmpty, let known = engine.schemas.relation(relation) else { return base }
        var found = base.filter { !touched.contains($0) }
        for entry in touched where try isThere(entry, known) { found.append(entry) }
        return found
    }

    /// Changes a list to the given elements, and writes only the differences. Returns the positions
    /// of the elements.
    ///
    /// `base` contains the positions that the caller knows; elements that other writers inserted
    /// meanwhile stay. Throws `.notFound` if the source or a target does not exist, and
    /// `.invalidArgument` for a relation that is not a list; of a relation with keys, links can be
    /// removed only.
    package mutating func setList(
        _ relation: UInt32, _ source: UInt64, from base: [[UInt8]], to list: [ListPlacement]
    ) throws(DaybookError) -> [[UInt8]] {
        try requireUsable()
        let known = try self.relation(relation, isList: true)
        if !list.isEmpty { try requireNoKeys(known) }
        try require(source, known.entityID, known)
        for element in list { try require(element.target, known.targetEntityID, known) }
        let current = try self.list(relation, source)
        let plan = ListPlan(current: current, base: base, wanted: list)
        for element in plan.removed { take(element, from: source, known) }
        if plan.positions.contains(where: { $0.count > Self.positionLengthMax }) {
            return try renumber(source, known, plan)
        }
        for (index, isNew) in plan.isNew.enumerated() where isNew {
            insert(list[index].target, at: plan.positions[index], of: source, known)
        }
        return plan.positions
    }

    /// Gives all elements new positions, after many insertions at the same place.
    private mutating func renumber(
        _ source: UInt64, _ relation: Schema.Relation, _ plan: ListPlan
    ) throws(DaybookError) -> [[UInt8]] {
        for element in try list(relation.relationID, source) {
            take(element, from: source, relation)
        }
        let positions = ListPosition.between(nil, nil, count: plan.result.count)
        for (element, position) in zip(plan.result, positions) {
            insert(element.target, at: position, of: source, relation)
        }
        return plan.places.map { positions[$0] }
    }

    /// Removes an element that the list contains.
    mutating func take(
        _ element: ListElement, from source: UInt64, _ relation: Schema.Relation
    ) {
        noteOrphans(relation, source, element.target)
        add(
            .listRemove,
            ListEntry(
                relation: relation.relationID, source: source, target: element.target,
                position: element.position), relation)
    }

    private mutating func insert(
        _ target: UInt64, at position: [UInt8], of source: UInt64, _ relation: Schema.Relation
    ) {
        add(
            .listInsert,
            ListEntry(
                relation: relation.relationID, source: source, target: target, position: position),
            relation)
    }
}
