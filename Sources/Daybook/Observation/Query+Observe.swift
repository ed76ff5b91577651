public import Dispatch
import DaybookEngine
import DaybookQuery

// Change sets as Realm spells them.

/// What Realm calls a token: keep it, for the subscription lasts as long.
public typealias NotificationToken = Observer

extension Observer {
    /// Ends the subscription: Realm's name of ``unsubscribe()``.
    public func invalidate() { unsubscribe() }
}

/// What became of a result, as Realm tells it: an object that moved is deleted and inserted.
public enum RealmCollectionChange<Elements> {
    /// The result at the beginning.
    case initial(Elements)
    /// The new result; deletions and modifications are places in the old one, insertions in the
    /// new one, each ascending.
    case update(Elements, deletions: [Int], insertions: [Int], modifications: [Int])
    /// Why there will be no more.
    case error(any Error)
}

extension Query {
    /// Calls `block` with the result, and then whenever it has changed, with what has: Realm's
    /// spelling of ``updates()``, which tells the same with moves.
    ///
    /// One call comes after the other, and the next tells of all commits since: so places are
    /// always those of the result that was told last.
    ///
    /// - Parameters:
    ///   - queue: where the block runs and the objects are made.
    /// - Returns: the token, which ends the subscription when it is let go. What is wrong, such as
    ///   a query that makes no sense or an object that cannot be read, the block is told, and
    ///   nothing more: see ``Observer/error``.
    public func observe(
        on queue: DispatchQueue = .main,
        _ block: @escaping @Sendable (RealmCollectionChange<[E]>) -> Void
    ) -> NotificationToken {
        let known = KnownObjects<E>()
        return follow(on: queue) { event in
            switch event {
            case .began(let rows): block(.initial(try known.begin(rows, self)))
            case .changed(let step):
                let difference = step.difference
                block(
                    .update(
                        try known.apply(step, self),
                        deletions: (difference.deletions + difference.moves.map(\.from)).sorted(),
                        insertions: (difference.insertions + difference.moves.map(\.to)).sorted(),
                        modifications: difference.modifications))
            }
        } failed: { error in
            block(.error(error))
        }
    }
}

extension Box {
    /// Calls `block` with all objects, in the order of ids, and then whenever some have changed: as
    /// ``Query/observe(on:_:)``.
    public func observe(
        on queue: DispatchQueue = .main,
        _ block: @escaping @Sendable (RealmCollectionChange<[E]>) -> Void
    ) -> NotificationToken {
        self.where(.always(true)).observe(on: queue, block)
    }
}

/// The objects that somebody was told last.
// SENDABLE: used by one subscription alone, which makes one call after the other. No lock, for
// types' own code runs here.
private final class KnownObjects<E: Entity>: @unchecked Sendable {
    private var objects: [E] = []

    func begin(_ rows: [StoredRow], _ query: Query<E>) throws -> [E] {
        let binding = try query.binding()
        objects = try query.loaded(rows.map { try binding.decode($0, as: E.self, query.types) })
        return objects
    }

    func apply(_ step: ResultSource.Step, _ query: Query<E>) throws -> [E] {
        let binding = try query.binding()
        let changed = try query.loaded(
            step.rows.map { try binding.decode($0.row, as: E.self, query.types) })
        objects = step.applied(to: objects, changed)
        return objects
    }
}
