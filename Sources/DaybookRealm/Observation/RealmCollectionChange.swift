public import Daybook
public import Dispatch

// Change sets with Realm's names.

/// A change of a result, as Realm reports it: a moved object is both deleted and inserted.
public enum RealmCollectionChange<Elements> {
    /// The first result.
    case initial(Elements)
    /// The new result. Deletions and modifications are positions in the old result, insertions are
    /// positions in the new one. All are ascending.
    case update(Elements, deletions: [Int], insertions: [Int], modifications: [Int])
    /// The error that ended the subscription.
    case error(any Error)
}

extension Query {
    /// Calls `block` with the result, and after that with each change of the result. This is
    /// Realm's counterpart of ``Daybook/Query/updates()``, which also reports moves.
    ///
    /// The calls are sequential. Commits that arrive during a call are combined into one change, so
    /// the positions of a change always refer to the result of the previous call.
    ///
    /// - Parameters:
    ///   - queue: The queue on which the block runs and the objects are decoded.
    ///   - block: Receives the first result, then each change, or the error that ends the calls.
    /// - Returns: The token. The subscription ends when the token is deallocated. After an error,
    ///   such as an invalid query or an object that cannot be read, `block` receives the error and
    ///   no further changes: see ``DaybookRealm/NotificationToken/error``.
    public func observe(
        on queue: DispatchQueue = .main,
        _ block: @escaping @Sendable (RealmCollectionChange<[E]>) -> Void
    ) -> NotificationToken {
        NotificationToken(
            followUpdates(on: queue) { update in
                switch update {
                case .initial(let objects): block(.initial(objects))
                case .update(let changes):
                    block(
                        .update(
                            changes.objects,
                            deletions: (changes.deletions + changes.moves.map(\.from)).sorted(),
                            insertions: (changes.insertions + changes.moves.map(\.to)).sorted(),
                            modifications: changes.modifications))
                }
            } failed: { error in
                block(.error(error))
            })
    }
}

extension Box {
    /// Calls `block` with all objects in the order of their ids, and after that with each change.
    /// Same as `observe` of a query for all objects.
    public func observe(
        on queue: DispatchQueue = .main,
        _ block: @escaping @Sendable (RealmCollectionChange<[E]>) -> Void
    ) -> NotificationToken {
        query().observe(on: queue, block)
    }
}
