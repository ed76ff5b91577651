import DaybookEngine
import DaybookRecords

/// The result of an undo.
public struct UndoReport: Sendable, Hashable {
    /// The sequence number of the undo's commit. Inside a transaction, the number that the
    /// transaction gets if it is committed. Nil if there was nothing to undo; nothing was written
    /// then.
    public let sequence: UInt64?
    /// The commits that were undone.
    public let undone: ClosedRange<UInt64>
    /// The number of objects whose properties were restored.
    public let changedCount: Int
    /// The number of removed objects that were restored with their ids.
    public let restoredCount: Int
    /// The number of inserted objects that were removed.
    public let removedCount: Int
    /// The number of links and list positions that were restored or removed.
    public let linkCount: Int
    /// The number of events that the undone commits had appended. Events are never undone.
    public let keptEventCount: Int
    /// The conflicts with later commits, which were resolved according to ``UndoPolicy``. Empty
    /// with ``UndoPolicy/refuse``.
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

/// A conflict between an undo and later commits.
public struct UndoConflict: Sendable, Hashable {
    /// The reason of a conflict.
    public typealias Reason = UndoConflictReason

    /// The reason of the conflict.
    public let reason: Reason
    /// The entity of the object. For a link, the entity of its source.
    public let entity: String
    /// The id of the object.
    public let id: Id
    /// The names of the properties in the store, including relations.
    public let properties: [String]
    /// The sequence numbers of the later commits, if known.
    public let commits: [UInt64]

    init(_ conflict: UndoObstacle, _ schema: Schema) {
        reason = conflict.reason
        entity = schema.entity(conflict.entity)?.name ?? ""
        id = conflict.id
        properties = conflict.names(schema)
        commits = conflict.sequences
    }
}

/// The ``DaybookError/cause`` of the `.conflict` error of a refused undo.
public struct UndoConflicts: Error, Sendable, Hashable, CustomStringConvertible {
    /// The conflicts, in the order of the log.
    public let conflicts: [UndoConflict]

    /// A description on one line.
    public var description: String {
        conflicts.map { "\($0.entity) \($0.id): \($0.reason.rawValue)" }.joined(separator: ", ")
    }
}
