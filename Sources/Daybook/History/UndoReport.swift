import DaybookEngine
import DaybookRecords

/// What an undo did.
public struct UndoReport: Sendable, Hashable {
    /// The number of the undo's own commit; inside a transaction, the number that it gets if it is
    /// committed. Nil where there was nothing to undo, and so nothing was written.
    public let sequence: UInt64?
    /// The commits that were undone.
    public let undone: ClosedRange<UInt64>
    /// How many objects had properties set back.
    public let changedCount: Int
    /// How many objects that had been removed are there again, under the same ids.
    public let restoredCount: Int
    /// How many objects that had been inserted were removed.
    public let removedCount: Int
    /// How many links, and places in lists, were put back or taken away.
    public let linkCount: Int
    /// How many events the commits had appended: events are never taken back.
    public let keptEventCount: Int
    /// What later commits had changed, and what became of it as ``UndoPolicy`` says; empty for
    /// ``UndoPolicy/refuse``.
    public let conflicts: [UndoConflict]

    init(_ report: UndoResult, _ schema: Schema) {
        sequence = report.sequence
        undone = report.undone
        changedCount = report.changedCount
        restoredCount = report.restoredCount
        removedCount = report.removedCount
        linkCount = report.linkCount
        keptEventCount = report.keptEventCount
        conflicts = report.conflicts.map { UndoConflict($0, schema) }
    }
}

/// Something that stands in the way of an undo.
public struct UndoConflict: Sendable, Hashable {
    /// Why it does.
    public enum Reason: String, Sendable, Hashable {
        /// The properties, or the relation, were changed by later commits as well.
        case changed
        /// An object that was removed, and would be put back, was put anew.
        case putAnew
        /// An object that was inserted, and would be removed, was linked to others.
        case linked
        /// The object at the other end of a link that would be put back is not there. It is never
        /// overwritten.
        case otherRemoved
        /// Rules of a relation removed objects, and might have decided otherwise without what is
        /// undone, or without links that are gone by now. What was removed since is never
        /// overwritten.
        case rules
        /// Another object has the same value of a unique property by now. With
        /// ``UndoPolicy/overwrite`` it is thrown as `.uniqueViolation`.
        case unique
        /// A relation does not let an object go that would be removed. With
        /// ``UndoPolicy/overwrite`` it is thrown as `.relationDenied`.
        case denied
        /// Properties cannot have their former values any more: since then the declaration dropped
        /// them, gave them another type, or came to require a value where there was none. What a
        /// property has now is never overwritten by nothing. An object that was removed is put back
        /// without these values with ``UndoPolicy/overwrite`` alone.
        case retyped
    }

    /// Why it stands in the way.
    public let reason: Reason
    /// The entity of the object, or of the object that a link leads from.
    public let entity: String
    /// The id of the object.
    public let id: Id
    /// The properties, relations included, by their names in the store.
    public let properties: [String]
    /// The later commits, where they are known.
    public let commits: [UInt64]

    init(_ conflict: UndoObstacle, _ schema: Schema) {
        reason = Reason(conflict.reason)
        entity = schema.entity(conflict.entity)?.name ?? ""
        id = conflict.id
        properties = conflict.names(schema)
        commits = conflict.sequences
    }
}

/// The ``DaybookError/cause`` of the `.conflict` that an undo is refused with: all that stands in
/// its way.
public struct UndoConflicts: Error, Sendable, Hashable, CustomStringConvertible {
    /// What stands in the way, in the order of the log.
    public let conflicts: [UndoConflict]

    /// One line.
    public var description: String {
        conflicts.map { "\($0.entity) \($0.id): \($0.reason.rawValue)" }.joined(separator: ", ")
    }
}

extension UndoConflict.Reason {
    fileprivate init(_ reason: UndoObstacle.Reason) {
        self =
            switch reason {
            case .changed: .changed
            case .putAnew: .putAnew
            case .linked: .linked
            case .otherRemoved: .otherRemoved
            case .rules: .rules
            case .unique: .unique
            case .denied: .denied
            case .retyped: .retyped
            }
    }
}
