package import DaybookBytes
import DaybookRecords

/// The cause of a refused change: a later commit has changed the object.
package struct ObjectConflict: Error, Sendable {
    package let entity: UInt32
    package let id: UInt64
    /// The caller required the object to be unchanged since this commit.
    package let expected: UInt64
    /// The last commit that changed the object; 0 if compaction dropped it.
    package let sequence: UInt64
    /// The current object; nil if it was removed.
    package let row: StoredRow?
}

extension ObjectConflict: CustomStringConvertible {
    /// One line.
    package var description: String {
        "object \(id) \(row == nil ? "was removed" : "was changed") by commit \(sequence)"
    }
}

extension PendingChanges {
    /// Throws `.conflict` if a commit after `since` has changed or removed an object. Changes of
    /// this transaction are no conflict, nor is an id that was never used. Throws
    /// `.invalidArgument` for a future commit, because such a check would always pass.
    ///
    /// The cause of the error is an ``ObjectConflict``. Cost: a tree lookup; a conflict also reads
    /// the row.
    package mutating func requireUnchanged(
        _ entity: UInt32, _ id: UInt64, since: UInt64
    ) throws(DaybookError) {
        try requireUsable()
        let newest = engine.log.lastSequence
        guard since <= newest else {
            throw DaybookError(
                .invalidArgument,
                "Sequence \(since) does not exist yet: the newest sequence is \(newest). Pass the"
                    + " sequence at which the object was read.",
                details: ["sequence": String(since), "newest": String(newest)])
        }
        guard id > 0 else { return }
        let entry = try baseEntry(entity, id)
        if let entry {
            guard entry.sequence > since else { return }
        } else {
            // A compaction drops entries of removed objects, but only below the floor.
            let wasGivenOut = !isNewId(entity, id)
            guard wasGivenOut, since > 0, since < engine.historyFloor else { return }
        }
        var row: StoredRow?
        if let entry, !entry.isRemoved {
            row = try StoredRow(entry, entity: entity, id: id, in: engine.log)
        }
        throw conflict(
            ObjectConflict(
                entity: entity, id: id, expected: since, sequence: entry?.sequence ?? 0, row: row))
    }

    /// The last commit before this transaction that changed a stored object: 0 for an object that
    /// this transaction inserted, nil if there is no object.
    mutating func lastChange(_ entity: UInt32, _ id: UInt64) throws(DaybookError) -> UInt64? {
        guard try contains(entity, id) else { return nil }
        return try baseEntry(entity, id)?.sequence ?? 0
    }

    private func conflict(_ conflict: ObjectConflict) -> DaybookError {
        let name = engine.schemas.schema.entity(conflict.entity)?.name ?? ""
        let what = conflict.row == nil ? "removed" : "changed"
        return DaybookError(
            .conflict,
            "'\(name)' \(conflict.id) was \(what) by commit \(conflict.sequence), after commit"
                + " \(conflict.expected), on which this change is based. Read the object again and"
                + " merge both changes.",
            cause: conflict,
            details: [
                "entity": name, "id": String(conflict.id), "expected": String(conflict.expected),
                "sequence": String(conflict.sequence),
            ])
    }
}

extension ReadView {
    /// The last commit that changed a stored object; nil if there is no object. Cost: a tree
    /// lookup.
    package func lastChange(_ entity: UInt32, _ id: UInt64) throws(DaybookError) -> UInt64? {
        try reading { reader throws(DaybookError) in try reader.object(entity, id)?.sequence }
    }
}
