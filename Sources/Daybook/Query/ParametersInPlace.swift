import DaybookBytes
import Synchronization

/// The parameters of a query that were set in place. The copies of the query share them.
final class ParametersInPlace<E: Entity>: Sendable {
    private struct State {
        /// The query with the parameters; nil before the first change.
        var query: Query<E>?
        /// The errors of parameters that could not be set, by name.
        var failures: [String: DaybookError] = [:]
        var changeCount = 0
    }

    private let state = Mutex(State())
    /// Whether a parameter was set. Spares the lock in all other queries.
    private let isSet = Atomic(false)

    /// Returns the query with the parameters; nil if none was set. Throws the error of a parameter
    /// that could not be set.
    func query() throws(DaybookError) -> Query<E>? {
        guard isSet.load(ordering: .acquiring) else { return nil }
        let (query, failure) = state.withLock { state in
            (state.query, state.failures.min { $0.key < $1.key }?.value)
        }
        if let failure { throw failure }
        return query
    }

    /// Replaces the query with the result of `change`, or keeps its error.
    ///
    /// - Parameter change: Receives the query with the earlier parameters. It is called again if
    ///   another thread sets a parameter meanwhile.
    func set(_ name: String, _ change: (Query<E>?) throws -> Query<E>) {
        while true {
            let (before, count) = state.withLock { ($0.query, $0.changeCount) }
            let result = Result { try change(before) }
            let isDone = state.withLock { state in
                guard state.changeCount == count else { return false }
                state.changeCount += 1
                switch result {
                case .success(let query):
                    state.query = query
                    state.failures[name] = nil
                case .failure(let error):
                    state.failures[name] = DaybookError(inCondition: error)
                }
                return true
            }
            if isDone { return isSet.store(true, ordering: .releasing) }
        }
    }
}
