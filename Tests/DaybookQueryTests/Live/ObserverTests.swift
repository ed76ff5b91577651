import DaybookBytes
@testable import DaybookEngine
@testable import DaybookQuery
import DaybookTestSupport
import Dispatch
import Synchronization
import Testing

/// The notices of observers: commits that touch an entity, an unreadable log, and the end.
@Suite struct ObserverTests {
    private let store: PeopleStore
    private let queries: LiveQueries

    init() throws {
        store = try PeopleStore()
        queries = LiveQueries(store.engine)
    }

    private func put(_ number: Int) throws { try put(number, in: store) }

    private func put(_ number: Int, in store: PeopleStore) throws {
        try store.engine.write { transaction in
            _ = try store.put(store.people, PeopleStore.person(number), in: transaction)
        }
    }

    private func putCompany(_ name: String, in transaction: WriteTransaction) throws {
        let values: [String: QueryValue] = ["name": .text(name), "size": .integer(1)]
        _ = try store.put(store.companies, values, in: transaction)
    }

    private func putCompany(_ name: String) throws {
        try store.engine.write { try putCompany(name, in: $0) }
    }

    private func putBoth(_ number: Int, _ name: String) throws {
        try store.engine.write { transaction in
            _ = try store.put(store.people, PeopleStore.person(number), in: transaction)
            try putCompany(name, in: transaction)
        }
    }

    /// Adds an observer of people and returns its notices as text.
    private func observe() throws -> AsyncStream<String>.AsyncIterator {
        try observe([store.people.entityID], in: queries).makeAsyncIterator()
    }

    /// Adds an observer and returns its notices as text.
    private func observe(
        _ entities: Set<UInt32>?, in queries: LiveQueries
    ) throws -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        _ = try queries.observe(entities) { notice in
            switch notice {
            case .commit: continuation.yield("commit")
            case .failure(let error): continuation.yield("\(error.code)")
            case .end:
                continuation.yield("end")
                continuation.finish()
            }
        }
        return stream
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

    @Test(.timeLimit(.minutes(30)))
    func `an observer of several entities receives a commit of both once`() async throws {
        let both: Set<UInt32> = [store.people.entityID, store.companies.entityID]
        let (stream, continuation) = AsyncStream.makeStream(of: UInt64.self)
        _ = try queries.observe(both) { notice in
            if case .commit(let sequence) = notice { continuation.yield(sequence) }
        }
        var (sequences, people) = (stream.makeAsyncIterator(), try observe())
        let start = try store.engine.visibleSequence
        try put(1)
        #expect(await sequences.next() == start + 1)
        try putCompany("a")
        #expect(await sequences.next() == start + 2)
        try putBoth(2, "b")
        #expect(await sequences.next() == start + 3)
        try put(3)
        #expect(await sequences.next() == start + 4)
        for _ in 0..<3 { #expect(await people.next() == "commit") }
        try store.engine.close()
        #expect(await people.next() == "end")
    }

    @Test(.timeLimit(.minutes(30)))
    func `an observer of all entities receives every commit`() async throws {
        var all = try observe(nil, in: queries).makeAsyncIterator()
        try put(1)
        #expect(await all.next() == "commit")
        try putCompany("a")
        #expect(await all.next() == "commit")
        try store.engine.close()
        #expect(await all.next() == "end")
    }

    /// The observer received `.closed` as a failure.
    @Test(.timeLimit(.minutes(30)))
    func `a reader that meets the closed store before the signal ends observers without an error`()
        async throws
    {
        let store = try PeopleStore(durability: .manual)
        let queries = LiveQueries(store.engine)
        var notices = try observe([store.people.entityID], in: queries).makeAsyncIterator()
        // The close announces the commit when the store accepts no more reads, and ends the signal
        // after that.
        let isEarly = Mutex(false)
        _ = store.engine.commitSignal.add { _ in
            if !store.engine.isOpen, !queries.isEnded { isEarly.withLock { $0 = true } }
            queries.catchUp()
        }
        try put(1, in: store)
        try store.engine.close()
        #expect(await notices.next() == "end")
        #expect(await notices.next() == nil)
        #expect(isEarly.withLock { $0 })
        #expect(queries.listenerCount == 0)
    }

    @Test(.timeLimit(.minutes(30)))
    func `an observer that begins during the close receives the end or the error`() async throws {
        for _ in 0..<40 {
            let store = try PeopleStore()
            let queries = LiveQueries(store.engine)
            let all = Mutex([try observe(nil, in: queries)])
            try onThreads(4) { number in
                if number == 0 { return try store.engine.close() }
                do {
                    while true {
                        let late = try observe(nil, in: queries)
                        all.withLock { $0.append(late) }
                    }
                } catch DaybookError.Code.closed {
                    // The last one began too late.
                }
            }
            for stream in all.withLock({ $0 }) {
                var notices = stream.makeAsyncIterator()
                #expect(await notices.next() == "end")
            }
            #expect(queries.listenerCount == 0)
        }
    }

    /// The reader was idle already, so the observer waited without end.
    @Test(.timeLimit(.minutes(30)))
    func `an observer that registers after the store has closed receives the end`() async throws {
        let runner = try store.runner(QueryDefinition(.less("age", .integer(50))))
        let wakes = DispatchSemaphore(value: 0)
        let listener = try queries.add(runner) { wakes.signal() }
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        var isClosed = false
        _ = try queries.observe(
            nil,
            afterCheck: {
                isClosed = (try? store.engine.close()) != nil
                // The reader has ended all observers, and is idle.
                wakes.wait()
            }
        ) { notice in
            if case .end = notice { continuation.yield("end") }
        }
        #expect(isClosed)
        var notices = stream.makeAsyncIterator()
        #expect(await notices.next() == "end")
        queries.remove(listener)
        #expect(queries.listenerCount == 0)
    }
}
