import DaybookBytes
import DaybookQuery
import Synchronization

/// The commits that change objects of some entities, or links from or to them. Only the sequence of
/// the newest one is stored.
///
/// Registered with the live queries of the store until it is deallocated.
final class ObservedCommits: Sendable {
    private struct State {
        /// The newest commit that was reported.
        var sequence: UInt64 = 0
        /// The error that ended the notices.
        var failure: DaybookError?
        var number: Int?
    }

    private let queries: LiveQueries
    private let state = Mutex(State())

    /// - Parameters:
    ///   - entities: nil for all entities.
    ///   - wake: Called on a thread of the store when ``isDue(after:)`` may return another result.
    ///     Must return quickly.
    ///   - finish: Called before the store closes; may read the store.
    init(
        of entities: Set<UInt32>?, _ queries: LiveQueries,
        finish: @escaping @Sendable () -> Void, _ wake: @escaping @Sendable () -> Void
    ) throws(DaybookError) {
        self.queries = queries
        let number = try queries.observe(
            entities, includesTargets: true, finish: finish
        ) { [weak self] notice in
            self?.take(notice)
            wake()
        }
        state.withLock { $0.number = number }
    }

    deinit { end() }

    /// Whether a commit after a version was reported. Throws the error that ended the notices,
    /// which is `.closed` at the end of the store.
    func isDue(after sequence: UInt64) throws(DaybookError) -> Bool {
        try state.withLock { state throws(DaybookError) in
            if let failure = state.failure { throw failure }
            return state.sequence > sequence
        }
    }

    /// Unregisters from the store.
    func end() {
        let number = state.withLock { state in
            defer { state.number = nil }
            return state.number
        }
        if let number { queries.remove(number) }
    }

    private func take(_ notice: LiveObserver.Notice) {
        state.withLock { state in
            switch notice {
            case .commit(let sequence): state.sequence = max(state.sequence, sequence)
            case .failure(let error): state.failure = error
            case .end: state.failure = StoreTypes.closed
            }
        }
    }
}
