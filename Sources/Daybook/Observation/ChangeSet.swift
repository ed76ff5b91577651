import DaybookQuery

/// A change of the result of a query, in the form in which list views take it.
///
/// ``deletions`` and ``modifications`` are positions in the old result, ``insertions`` are
/// positions in the new one; all are ascending. An object whose position among the remaining
/// objects changed is in ``moves``, and not in ``modifications``. A table view can apply all four
/// in one batch update.
public struct ChangeSet<Shown> {
    /// A move of an object to another position.
    public struct Move: Sendable, Hashable {
        /// The position in the old result.
        public let from: Int
        /// The position in the new result.
        public let to: Int
    }

    /// The new result: objects, or projections of objects. An unchanged object is the one of the
    /// previous result; for a class, the same instance.
    public let objects: [Shown]
    /// The positions in the old result of the objects that are not in the new result.
    public let deletions: [Int]
    /// The positions in the new result of the objects that were not in the old result.
    public let insertions: [Int]
    /// The positions in the old result of the objects whose properties, or links from them,
    /// changed. With ``Query/watching(_:)``, only changes of the watched properties count.
    public let modifications: [Int]
    /// The objects that moved, ordered by their new positions.
    public let moves: [Move]

    init(_ difference: ResultDifference, _ objects: [Shown]) {
        self.objects = objects
        deletions = difference.deletions
        insertions = difference.insertions
        modifications = difference.modifications
        moves = difference.moves.map { Move(from: $0.from, to: $0.to) }
    }
}

extension ChangeSet: Sendable where Shown: Sendable {}

/// An element of ``Query/updates()`` and of ``Query/updates(as:)``.
public enum QueryUpdate<Shown> {
    /// The first result. This is the first element.
    case initial([Shown])
    /// A change of the result since the previous element.
    case update(ChangeSet<Shown>)

    /// The current result.
    public var objects: [Shown] {
        switch self {
        case .initial(let objects): objects
        case .update(let changes): changes.objects
        }
    }
}

extension QueryUpdate: Sendable where Shown: Sendable {}
