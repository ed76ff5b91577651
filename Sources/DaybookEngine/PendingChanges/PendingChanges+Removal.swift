import DaybookBytes
import DaybookRecords

// The effects of a removal on an object's relations and on related objects.
extension PendingChanges {
    private struct Object: Hashable {
        var entity: UInt32
        var id: UInt64
    }

    /// A link that denies the removal of the object at one end unless the other object is removed,
    /// too.
    private struct Denial {
        var end: RelationEnd
        var object: Object
        var other: Object
    }

    /// Removes objects with their links, and the objects that their delete rules remove. Throws
    /// `.relationDenied` with nothing changed. Cost: each link of each removed object.
    mutating func removeRelated(_ entity: UInt32, _ ids: [UInt64]) throws(DaybookError) {
        let removed = try removed(with: ids.map { Object(entity: entity, id: $0) })
        let (operationCount, byteCount) = (operations.count, bytes.count)
        do throws(DaybookError) {
            for object in removed {
                for end in engine.schemas.ends(of: object.entity) { try clear(end, object.id) }
                _ = try removeAlone(object.entity, object.id)
            }
        } catch {
            roll(backTo: operationCount, byteCount: byteCount)
            throw error
        }
    }

    /// All objects that are removed with `first`, including these.
    private mutating func removed(with first: [Object]) throws(DaybookError) -> [Object] {
        var removed = first
        var seen = Set(first)
        var denials: [Denial] = []
        var index = 0
        while index < removed.count {
            let object = removed[index]
            index += 1
            for end in engine.schemas.ends(of: object.entity) where end.onRemoval != .nullify {
                for id in try links(of: end.end(of: object.id)) {
                    let other = Object(entity: end.otherEntity, id: id)
                    if end.onRemoval == .deny {
                        denials.append(Denial(end: end, object: object, other: other))
                    } else if try contains(other.entity, id), seen.insert(other).inserted {
                        removed.append(other)
                    }
                }
            }
        }
        let refusals = denials.filter { !seen.contains($0.other) }
        if let refusal = refusals.first { throw denied(refusal, refusals.count) }
        return removed
    }

    /// Removes all links at one end of an object.
    private mutating func clear(_ end: RelationEnd, _ id: UInt64) throws(DaybookError) {
        let relation = end.relation
        guard relation.type.hasPositions else {
            for other in try links(of: end.end(of: id)) {
                end.isBackward ? part(relation, other, id) : part(relation, id, other)
            }
            return
        }
        if end.isBackward {
            for entry in try listings(relation.relationID, id) {
                take(
                    ListElement(position: entry.position, target: id), from: entry.source, relation)
            }
        } else {
            for element in try list(relation.relationID, id) { take(element, from: id, relation) }
        }
    }

    /// Removes the objects that have lost their last link, if the relation's rules remove orphans.
    /// An object whose removal another relation denies stays. Cost: a lookup for each end that lost
    /// a link, and the removals.
    mutating func removeOrphans() throws(DaybookError) {
        var refused: [PossibleOrphan] = []
        /// The last position of each end in `orphans`. The end is checked only there, after all its
        /// links were removed.
        var last: [LinkEnd: Int] = [:]
        var (index, lastCount) = (0, 0)
        while index < orphans.count {
            while lastCount < orphans.count {
                last[orphans[lastCount].end] = lastCount
                lastCount += 1
            }
            let orphan = orphans[index]
            index += 1
            guard last[orphan.end] == index - 1, try isOrphan(orphan) else { continue }
            do throws(DaybookError) {
                _ = try remove(orphan.entity, orphan.end.id)
                // Retries refused removals, because this object may have denied them.
                orphans += refused
                refused = []
            } catch  where error.code == .relationDenied {
                refused.append(orphan)
            }
        }
        orphans = []
    }

    /// Whether an object exists and has no links left. An object that was removed and put again
    /// after it lost the link does not count as an orphan.
    private mutating func isOrphan(_ orphan: PossibleOrphan) throws(DaybookError) -> Bool {
        guard try contains(orphan.entity, orphan.end.id) else { return false }
        var operation = lastOperation(orphan.entity, orphan.end.id)
        while let index = operation, index > orphan.operation {
            if operations[index].kind == .remove { return false }
            operation = operations[index].superseded
        }
        return try links(of: orphan.end, limit: 1).isEmpty
    }

    private func denied(_ denial: Denial, _ count: Int) -> DaybookError {
        let schema = engine.schemas.schema
        let name = schema.entity(denial.object.entity)?.name ?? ""
        let other = schema.entity(denial.other.entity)?.name ?? ""
        let relation = schema.relationName(denial.end.relation.relationID)
        return DaybookError(
            .relationDenied,
            "'\(name)' \(denial.object.id) cannot be removed: '\(other)' \(denial.other.id) is"
                + " linked to it by '\(relation)', whose delete rule denies the removal"
                + (count > 1 ? ", and so are \(count - 1) more" : "")
                + ". Remove the link first.",
            details: [
                "entity": name, "id": String(denial.object.id), "relation": relation,
                "otherEntity": other, "otherId": String(denial.other.id), "count": String(count),
            ])
    }
}
