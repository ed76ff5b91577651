/// The reason of a conflict between an undo and later commits.
public enum UndoConflictReason: String, Sendable, Hashable {
    /// Later commits also changed the properties or the relation.
    case changed
    /// The object was removed, and a later commit has put it again.
    case putAnew
    /// The object was inserted, and later commits linked it to other objects.
    case linked
    /// The object at the other end of a link does not exist any more. The link is never
    /// restored, with any policy.
    case otherRemoved
    /// Delete rules removed objects since, and might have had another effect without the undone
    /// changes, or without links that do not exist any more. These removals are never undone,
    /// with any policy.
    case rules
    /// Another object now has the same value of a unique property. With
    /// ``UndoPolicy/overwrite``, thrown as `.uniqueViolation`.
    case unique
    /// A relation denies the removal of an object. With ``UndoPolicy/overwrite``, thrown as
    /// `.relationDenied`.
    case denied
    /// The former values of properties cannot be restored, because the declaration has since
    /// removed the properties, changed their types, or made them required. A current value is
    /// never replaced by no value. A removed object is restored without these values with
    /// ``UndoPolicy/overwrite`` only.
    case retyped
}

/// A later change that conflicts with an undo, with the numeric identifiers of the log.
package struct UndoObstacle: Sendable, Hashable {
    package var reason: UndoConflictReason
    package var entity: UInt32
    package var id: UInt64
    /// The numbers of the properties.
    package var properties: Set<UInt32> = []
    /// The relation of the link; 0 if the conflict concerns no link.
    package var relation: UInt32 = 0
    package var target: UInt64 = 0
    /// The later commits, in ascending order and without duplicates.
    package var sequences: [UInt64] = []
}

/// The cause of the error of a refused undo.
package struct UndoObstacles: Error, Sendable {
    package let conflicts: [UndoObstacle]
}
