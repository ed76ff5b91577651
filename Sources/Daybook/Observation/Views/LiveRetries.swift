import DaybookBytes
import DaybookEngine
import DaybookQuery

/// Waits after an error of a query until it is sensible to run the query again.
@MainActor
final class LiveRetries {
    private let wakes: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    /// The registration for commits since the first of several errors.
    private var commits: (queries: LiveQueries, number: Int)?

    init() {
        (wakes, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    isolated deinit { forget() }

    /// Ends the current wait, or the next one.
    func wake() { continuation.yield() }

    /// Ends the registration for commits, because the query succeeded.
    func forget() {
        if let commits { commits.queries.remove(commits.number) }
        commits = nil
    }

    /// Waits for ``wake()``, or for a commit that changes the entity of the query. Only `wake()`
    /// ends the wait if the error is one of the query itself. Returns false if the task is
    /// cancelled.
    func wait<E>(after error: any Error, of query: Query<E>) async -> Bool {
        if commits == nil, Self.dependsOnData(error) {
            commits = try? await observe(query)
            // A commit may have arrived before the registration.
            if commits != nil { return !Task.isCancelled }
        }
        var wakes = wakes.makeAsyncIterator()
        return await wakes.next(isolation: #isolation) != nil && !Task.isCancelled
    }

    private func observe<E>(_ query: Query<E>) async throws -> (LiveQueries, Int) {
        let types = query.types
        guard let queries = query.includesUnsynced ? types.unsyncedQueries : types.liveQueries
        else {
            throw StoreTypes.closed
        }
        let (entity, continuation) = (try query.binding().entity, continuation)
        let number = try await types.engine.readElsewhere {
            try queries.observe([entity]) { notice in
                // After a failure of the log, a retry would fail at once.
                if case .commit = notice { continuation.yield() }
            }
        }
        return (queries, number)
    }

    /// Whether other data in the store may avoid the error.
    private static func dependsOnData(_ error: any Error) -> Bool {
        guard let error = error as? DaybookError else { return true }
        return ![.invalidArgument, .entityNotRegistered, .closed].contains(error.code)
    }
}
