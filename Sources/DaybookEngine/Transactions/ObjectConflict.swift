package import DaybookBytes
import DaybookRecords

/// Why a change that asked for it was refused: somebody else has changed the object since.
package struct ObjectConflict: Error, Sendable {
    package let entity: UInt32
    package let id: UInt64
    /// The commit after which the object was to be unchanged.
    package let expected: UInt64
    /// The commit that changed it last; 0 where compaction has dropped that.
    package let sequence: UInt64
    /// The object as it is; nil where it was removed.
    package let row: StoredRow?
}

extension ObjectConflict: CustomStringConvertible {
    /// One line.
    package var description: String {
        "object \(id) \(row == nil ? "was removed" : "was changed") by commit \(sequence)"
    }
}

extension PendingChanges {
    /// Throws `.conflict` where a commit after `since` has changed or removed an object. What this
    /// transaction does to it itself is no conflict, and an id that nothing was ever stored under
    /// has none. Throws `.invalidArgument` for a commit that is not there yet: it would let
    /// everything pass.
    ///
    /// The cause of the error is a ``ObjectConflict``. Cost: a tree walk; for a conflict also a
    /// read of the row.
    mutating func requireUnchanged(
        _ entity: UInt32, _ id: UInt64, since: UInt64
    ) throws(DaybookError) {
        let newest = engine.log.lastSequence
        guard since <= newest else {
            throw DaybookError(
                .invalidArgument,
                "No object can be known as of sequence \(since): the newest is \(newest). Name the"
                    + " one that it was read at.",
                details: ["sequence": String(since), "newest": String(newest)])
        }
        guard id > 0 else { return }
        let entry = try baseEntry(entity, id)
        if let entry {
            guard entry.sequence > since else { return }
        } else {
            // A compaction drops what is known of a removed object, below the floor alone.
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

    private func conflict(_ conflict: ObjectConflict) -> DaybookError {
        let name = engine.schemas.schema.entity(conflict.entity)?.name ?? ""
        let what = conflict.row == nil ? "removed" : "changed"
        return DaybookError(
            .conflict,
            "'\(name)' \(conflict.id) was \(what) by commit \(conflict.sequence), after commit"
                + " \(conflict.expected) that this change is made from. Read it anew, and decide"
                + " what becomes of both changes.",
            cause: conflict,
            details: [
                "entity": name, "id": String(conflict.id), "expected": String(conflict.expected),
                "sequence": String(conflict.sequence),
            ])
    }
}

extension WriteTransaction {
    /// Throws `.conflict`, with a ``ObjectConflict`` as its cause, where a commit after `since` has
    /// changed or removed an object.
    package func requireUnchanged(
        _ entity: UInt32, _ id: UInt64, since: UInt64
    ) throws(DaybookError) {
        try requireUsable()
        try withChanges { changes throws(DaybookError) in
            try changes.requireUnchanged(entity, id, since: since)
        }
    }

    /// The last commit that changed a living object, before this transaction: 0 for one that this
    /// transaction inserted; nil where none lives.
    func lastChange(_ entity: UInt32, _ id: UInt64) throws(DaybookError) -> UInt64? {
        guard try contains(entity, id) else { return nil }
        return try withChanges { changes throws(DaybookError) in
            try changes.baseEntry(entity, id)?.sequence ?? 0
        }
    }
}

extension ReadView {
    /// The last commit that changed a living object; nil where none lives. Cost: a tree walk.
    package func lastChange(_ entity: UInt32, _ id: UInt64) throws(DaybookError) -> UInt64? {
        try reading { reader throws(DaybookError) in try reader.object(entity, id)?.sequence }
    }
}
