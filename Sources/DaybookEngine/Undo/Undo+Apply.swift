import DaybookBytes
import DaybookRecords

// Applies the operations of an undo in an order in which none prevents another: removes links, then
// objects; puts rows, then adds links.
extension Undo {
    mutating func apply() throws(DaybookError) -> UndoResult {
        var report = UndoResult(undone: history.range)
        report.keptEventCount = history.eventCount
        for link in unlinks { try take(link) }
        report.linkCount = unlinks.count
        for object in removals where try remove(object) { report.removedCount += 1 }
        for put in try putRows() {
            if put.isRestored { report.restoredCount += 1 } else { report.changedCount += 1 }
        }
        report.linkCount += try putBackLinks()
        if policy == .refuse, !conflicts.isEmpty { throw refusal() }
        report.conflicts = conflicts
        return report
    }

    // MARK: Links

    /// Removes a link. An object that loses its last link by this is no orphan: it had no link
    /// before the undone commit.
    private func take(_ link: ListEntry) throws(DaybookError) {
        let count = transaction.changes.orphans.count
        if link.position.isEmpty {
            try transaction.changes.unlink(link.relation, link.source, link.target)
        } else {
            let relation = try transaction.changes.relation(link.relation, isList: true)
            let element = ListElement(position: link.position, target: link.target)
            if try transaction.changes.isThere(link, relation) {
                transaction.changes.take(element, from: link.source, relation)
            }
        }
        let added = transaction.changes.orphans.count - count
        transaction.changes.orphans.removeLast(added)
    }

    /// Restores links and returns their number. In lists, elements with free positions come first.
    /// An element whose position is taken then follows the taken position in the final list.
    private mutating func putBackLinks() throws(DaybookError) -> Int {
        var count = 0
        var places = ListPlaces()
        var displaced: [ListEntry] = []
        var keyed: [UndoHistory.Source: [ListEntry]] = [:]
        for link in relinks {
            if link.position.isEmpty {
                if try putBack(link) { count += 1 }
                continue
            }
            let source = UndoHistory.Source(relation: link.relation, id: link.source)
            if hasKey(link) {
                keyed[source, default: []].append(link)
                continue
            }
            if !places.knows(source) {
                let now = try transaction.changes.list(link.relation, link.source)
                places.note(now.map(\.position), of: source)
            }
            guard places.isFree(link.position, of: source) else {
                displaced.append(link)
                continue
            }
            guard try putBack(link) else { continue }
            places.take(link.position, of: source)
            count += 1
        }
        let ordered = keyed.sorted { ($0.key.relation, $0.key.id) < ($1.key.relation, $1.key.id) }
        for (source, links) in ordered { count += try putBack(links, of: source) }
        for var link in displaced {
            let source = UndoHistory.Source(relation: link.relation, id: link.source)
            link.position = places.take(behind: link.position, of: source)
            if try putBack(link) { count += 1 }
        }
        return count
    }

    /// Restores links of a map of objects, and returns their number.
    private mutating func putBack(
        _ links: [ListEntry], of source: UndoHistory.Source
    ) throws(DaybookError) -> Int {
        let elements = links.map { ListElement(position: $0.position, target: $0.target) }
        do throws(DaybookError) {
            try transaction.changes.setKeys(
                source.relation, source.id, removing: [], placing: elements)
            return links.count
        } catch  where error.code == .notFound {
            // Nothing was changed. Of several links, restores the ones whose ends exist.
            var count = 0
            for link in links where try putBack(link) { count += 1 }
            return count
        }
    }

    private func hasKey(_ link: ListEntry) -> Bool {
        history.engine.schemas.relation(link.relation)?.type == .keyedObjects
    }

    /// Restores a link, in a list at a free position. Returns false and notes a conflict if an end
    /// does not exist because it was not restored itself.
    private mutating func putBack(_ link: ListEntry) throws(DaybookError) -> Bool {
        let relation = history.engine.schemas.relation(link.relation)
        do throws(DaybookError) {
            if link.position.isEmpty {
                _ = try transaction.changes.link(link.relation, link.source, link.target)
            } else if hasKey(link) {
                let element = ListElement(position: link.position, target: link.target)
                try transaction.changes.setKeys(
                    link.relation, link.source, removing: [], placing: [element])
            } else {
                try transaction.changes.putBack(link)
            }
            return true
        } catch  where error.code == .notFound {
            conflicts.append(
                UndoObstacle(
                    reason: .otherRemoved, entity: relation?.entityID ?? 0, id: link.source,
                    relation: link.relation, target: link.target))
            return false
        }
    }

    // MARK: Objects

    private mutating func remove(_ object: Object) throws(DaybookError) -> Bool {
        do throws(DaybookError) {
            return try transaction.changes.remove(object.entity, object.id)
        } catch  where error.code == .relationDenied && policy != .overwrite {
            conflicts.append(
                UndoObstacle(reason: .denied, entity: object.entity, id: object.id))
            return false
        }
    }

    /// Puts all rows and returns the puts that succeeded. Values of unique properties may move from
    /// one object to another, so either the order matters or only the final state is checked.
    private mutating func putRows() throws(DaybookError) -> [Put] {
        transaction.changes.putsWholeRows = true
        defer { transaction.changes.putsWholeRows = false }
        let mark = transaction.savepoint()
        if try succeeds({ () throws(DaybookError) in try putAll() }) { return puts }
        transaction.roll(backTo: mark)
        if try succeeds({ () throws(DaybookError) in try putAllDeferring() }) { return puts }
        transaction.roll(backTo: mark)
        return try putThoseThatFit()
    }

    private func succeeds(_ body: () throws(DaybookError) -> Void) throws(DaybookError) -> Bool {
        do throws(DaybookError) {
            try body()
            return true
        } catch  where Self.isTaken(error) {
            return false
        }
    }

    private static func isTaken(_ error: DaybookError) -> Bool {
        error.code == .uniqueViolation || error.code == .primaryKeyChanged
    }

    private func putAll() throws(DaybookError) {
        for put in puts { try apply(put) }
    }

    /// Puts all rows. Meanwhile, several objects may have the same unique values.
    private func putAllDeferring() throws(DaybookError) {
        transaction.changes.contested = ContestedKeys()
        defer { transaction.changes.contested = nil }
        try putAll()
        try transaction.changes.settleContests()
    }

    /// Puts rows until no further row succeeds, because a row may free a value for another row. The
    /// remaining rows are conflicts.
    private mutating func putThoseThatFit() throws(DaybookError) -> [Put] {
        var (done, waiting) = ([Put](), puts)
        var errors: [Object: DaybookError] = [:]
        var count = 0
        repeat {
            count = waiting.count
            var left: [Put] = []
            for put in waiting {
                do throws(DaybookError) {
                    try apply(put)
                    done.append(put)
                } catch  where Self.isTaken(error) {
                    errors[put.object] = error
                    left.append(put)
                }
            }
            // Reverses the order, so that the next pass completes a chain of moved values.
            waiting = left.reversed()
        } while !waiting.isEmpty && waiting.count < count
        for put in waiting {
            if policy == .overwrite, let error = errors[put.object] { throw error }
            conflicts.append(
                UndoObstacle(
                    reason: .unique, entity: put.object.entity, id: put.object.id,
                    properties: put.properties))
        }
        return done
    }

    private func apply(_ put: Put) throws(DaybookError) {
        let object = put.object
        let lives = try transaction.changes.contains(object.entity, object.id)
        // An object that a rule removed during this undo stays removed.
        guard lives || put.isRestored else { return }
        try transaction.changes.put(
            object.entity, object.id, layout: put.layout, row: put.row.span,
            PutOptions(mode: lives ? .update : .insert, isAssignable: true))
    }
}

extension PendingChanges {
    /// Inserts an element of a list at a free position. Throws `.notFound` if an end does not
    /// exist.
    fileprivate mutating func putBack(_ link: ListEntry) throws(DaybookError) {
        let relation = try relation(link.relation, isList: true)
        try require(link.source, relation.entityID, relation)
        try require(link.target, relation.targetEntityID, relation)
        add(.listInsert, link, relation)
    }
}
