import DaybookQuery

/// What became of the result of a query: as a list on a screen is told.
///
/// ``deletions`` and ``modifications`` are places in the old result, ``insertions`` in the new one,
/// all ascending; an object that stands elsewhere among those that stayed is in ``moves``, and not
/// in ``modifications``. So a table view takes all four as they are, in one batch.
public struct ChangeSet<E: Entity> {
    /// An object that stands elsewhere.
    public struct Move: Sendable, Hashable {
        /// Its place in the old result.
        public let from: Int
        /// Its place in the new result.
        public let to: Int
    }

    /// The new result. An object that has not changed is the one that was given before, the same
    /// instance where it is of a class.
    public let objects: [E]
    /// Places in the old result of objects that are not in the new one.
    public let deletions: [Int]
    /// Places in the new result of objects that were not in the old one.
    public let insertions: [Int]
    /// Places in the old result of objects that have changed: their properties, or the links that
    /// lead from them; with ``Query/watching(_:)`` the named ones alone.
    public let modifications: [Int]
    /// Objects that stand elsewhere now, by their new places.
    public let moves: [Move]

    init(_ difference: ResultDifference, _ objects: [E]) {
        self.objects = objects
        deletions = difference.deletions
        insertions = difference.insertions
        modifications = difference.modifications
        moves = difference.moves.map { Move(from: $0.from, to: $0.to) }
    }
}

extension ChangeSet: Sendable where E: Sendable {}

/// What ``Query/updates()`` gives.
public enum QueryUpdate<E: Entity> {
    /// The result at the beginning: the first element.
    case initial([E])
    /// What became of it since the element before.
    case update(ChangeSet<E>)

    /// The result.
    public var objects: [E] {
        switch self {
        case .initial(let objects): objects
        case .update(let changes): changes.objects
        }
    }
}

extension QueryUpdate: Sendable where E: Sendable {}
