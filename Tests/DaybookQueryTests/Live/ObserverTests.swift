import DaybookBytes
@testable import DaybookEngine
@testable import DaybookQuery
import DaybookTestSupport
import Testing

/// The notices of observers: commits that touch an entity, an unreadable log, and the end.
@Suite struct ObserverTests {
    private let store: PeopleStore
    private let queries: LiveQueries

    init() throws {
        store = try PeopleStore()
        queries = LiveQueries(store.engine)
    }

    private func put(_ number: Int) throws {
        try store.engine.write { transaction in
            _ = try store.put(store.people, PeopleStore.person(number), in: transaction)
        }
    }

    /// Adds an observer and returns its notices as text.
    private func observe() throws -> AsyncStream<String>.AsyncIterator {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        _ = try queries.observe(store.people.entityID) { notice in
            switch notice {
            case .commit: continuation.yield("commit")
            case .failure(let error): continuation.yield("\(error.code)")
            case .end:
                continuation.yield("end")
                continuation.finish()
            }
        }
        return stream.makeAsyncIterator()
    }

    @Test(.timeLimit(.minutes(30)))
    func `an observer receives commits and the end of the store`() async throws {
        var notices = try observe()
        try put(1)
        #expect(await notices.next() == "commit")
        try put(2)
        #expect(await notices.next() == "commit")
        try store.engine.close()
        #expect(await notices.next() == "end")
        #expect(queries.listenerCount == 0)
    }

    @Test(.timeLimit(.minutes(30)))
    func `an observer receives once that the log cannot be read`() async throws {
        var failed = try observe()
        queries.fail(DaybookError(.corruption, "The log is damaged."))
        #expect(await failed.next() == "corruption")
        #expect(queries.listenerCount == 0)
        var later = try observe()
        try put(1)
        #expect(await later.next() == "commit")
        try store.engine.close()
        #expect(await later.next() == "end")
    }
}
