/// A later change that conflicts with an undo, in the numbers of the log.
package struct UndoObstacle: Sendable, Hashable {
    package enum Reason: Sendable {
        /// It was changed since.
        case changed
        /// An object that is to be put back was put anew since.
        case putAnew
        /// An object that is to be removed was linked to others since.
        case linked
        /// The object at the other end of a link that is to be put back was removed since.
        case otherRemoved
        /// Rules of the relation have removed objects since and would not have, or the other way
        /// round; or they may have removed an object that is to be removed again, by links that are
        /// gone.
        case rules
        /// Another object has the same value of a unique property by now.
        case unique
        /// A relation does not let the object go.
        case denied
        /// The newest layout has no room for former values.
        case retyped
    }

    package var reason: Reason
    package var entity: UInt32
    package var id: UInt64
    /// The properties, by their numbers.
    package var properties: Set<UInt32> = []
    /// The link, where it is one.
    package var relation: UInt32 = 0
    package var target: UInt64 = 0
    /// The later commits, in rising order, each once.
    package var sequences: [UInt64] = []
}

/// The cause of the error that an undo is refused with.
package struct UndoObstacles: Error, Sendable {
    package let conflicts: [UndoObstacle]
}
