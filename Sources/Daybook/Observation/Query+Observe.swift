public import Dispatch
import DaybookEngine
import DaybookQuery
import Synchronization

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
    /// - Parameters:
    ///   - queue: where the block runs and the objects are made; a serial one.
    /// - Returns: the token, which ends the subscription when it is let go. What is wrong, such as
    ///   a query that makes no sense, the block is told.
    public func observe(
        on queue: DispatchQueue = .main,
        _ block: @escaping @Sendable (RealmCollectionChange<[E]>) -> Void
    ) -> NotificationToken {
        let known = KnownObjects<E>()
        return follow(on: queue) { event in
            do {
                switch event {
                case .began(let rows): block(.initial(try known.begin(rows, self)))
                case .changed(let step):
                    let difference = step.difference
                    block(
                        .update(
                            try known.apply(step, self),
                            deletions: (difference.deletions + difference.moves.map(\.from))
                                .sorted(),
                            insertions: (difference.insertions + difference.moves.map(\.to))
                                .sorted(), modifications: difference.modifications))
                case .failed(let error): block(.error(error))
                }
            } catch {
                block(.error(error))
            }
        }
    }
}

/// The objects that somebody was told last.
// SENDABLE: used on the serial queue of one subscription alone, under a lock all the same.
private final class KnownObjects<E: Entity>: @unchecked Sendable {
    private let lock = Mutex(())
    private var objects: [E] = []

    func begin(_ rows: [StoredRow], _ query: Query<E>) throws -> [E] {
        try lock.withLock { _ in
            let binding = try query.binding()
            objects = try query.loaded(
                rows.map { try binding.decode($0, as: E.self, query.types) })
            return objects
        }
    }

    func apply(_ step: ResultSource.Step, _ query: Query<E>) throws -> [E] {
        try lock.withLock { _ in
            let binding = try query.binding()
            let changed = try query.loaded(
                step.rows.map { try binding.decode($0.row, as: E.self, query.types) })
            objects = step.applied(to: objects, changed)
            return objects
        }
    }
}
