/// A later change that conflicts with an undo, with the numeric identifiers of the log.
package struct UndoObstacle: Sendable, Hashable {
    package enum Reason: Sendable {
        /// The object or link was changed later.
        case changed
        /// An object that the undo restores was inserted again later.
        case putAnew
        /// An object that the undo removes was linked to others later.
        case linked
        /// The object at the other end of a link that the undo restores was removed later.
        case otherRemoved
        /// Rules of the relation removed objects later that they would not have removed without the
        /// undone commits, or the other way round. Or rules may have removed an object that the
        /// undo removes again, together with links that no longer exist.
        case rules
        /// Another object has the same value of a unique property now.
        case unique
        /// A relation denies the removal of the object.
        case denied
        /// The newest layout cannot represent the former values.
        case retyped
    }

    package var reason: Reason
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
