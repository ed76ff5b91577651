@testable import Daybook
@testable import DaybookQuery
import DaybookTestSupport
import Foundation
import Observation
import Testing

extension LiveResultsTests {
    @Test(.timeLimit(.minutes(30)))
    func `results read nothing before a property is read`() async throws {
        try await box.put(Memo(text: "a", stars: 1))
        let queries = try #require(store.types.liveQueries)
        let results = box.query().live()
        results.query = box.query { $0.stars == 1 }
        _ = results.query
        for _ in 0..<20 { await Task.yield() }
        #expect(queries.listenerCount == 0)
        await wait { results.objects.map(\.text) == ["a"] }
        #expect(queries.listenerCount == 1)
    }

    @Test(.timeLimit(.minutes(30)))
    func `the first result is there at once if it is asked for`() async throws {
        try await box.put(Memo(text: "a", stars: 1))
        let results = box.query().ordered(by: \.text).live(firstResult: .immediate)
        #expect(results.objects.map(\.text) == ["a"])
        #expect(results.isLoaded && results.lastChange == nil && results.error == nil)
        try await box.put(Memo(text: "b", stars: 1))
        await wait { results.objects.map(\.text) == ["a", "b"] }
        #expect(results.lastChange?.insertions == [1])
        let wrong = box.query().limit(-1).live(firstResult: .immediate)
        #expect((wrong.error as? DaybookError)?.code == .invalidArgument)
        #expect(!wrong.isLoaded)
    }

    @Test(.timeLimit(.minutes(30)))
    func `the query of results is exchanged in place`() async throws {
        try await box.put(["a", "b", "c"].enumerated().map { Memo(text: $1, stars: $0) })
        let results = box.query().ordered(by: \.text).limit(2).live(firstResult: .immediate)
        #expect(results.objects.map(\.text) == ["a", "b"])
        results.query = box.query { $0.stars > 0 }.ordered(by: \.text)
        // The objects of the query before remain until the new ones are there.
        #expect(results.isExchanging)
        #expect(results.objects.map(\.text) == ["a", "b"])
        await wait { !results.isExchanging }
        #expect(results.objects.map(\.text) == ["b", "c"])
        #expect(results.lastChange?.deletions == [0])
        #expect(results.lastChange?.insertions == [1])
    }

    @Test(.timeLimit(.minutes(30)))
    func `an exchange replaces an invalid query, and results continue`() async throws {
        try await box.put(Memo(text: "a", stars: 1))
        let results = box.query().live()
        await wait { results.isLoaded }
        results.query = box.query(Property<Memo, Int>("starz") == 3)
        await wait { results.error != nil }
        #expect(results.objects.map(\.text) == ["a"] && !results.isExchanging)
        // Other data cannot make the query valid.
        try await box.put(Memo(text: "b", stars: 2))
        #expect(results.error != nil)
        results.query = box.query { $0.stars == 2 }
        await wait { results.objects.map(\.text) == ["b"] }
        #expect(results.error == nil)
        #expect(results.lastChange?.deletions == [0])
    }

    @Test(.timeLimit(.minutes(30)))
    func `an object that cannot be decoded is listed, and the others are shown`() async throws {
        let store = try Store.preview(entities: FragileMemo.self)
        let box = store.box(for: FragileMemo.self)
        try await box.put(["a", "torn", "z"].map { FragileMemo($0) })
        let results = box.query().ordered(by: \.text).live(firstResult: .immediate)
        #expect(results.objects.map(\.text) == ["a", "z"])
        #expect(results.unreadable.map(\.id) == [2])
        #expect(results.unreadable.first?.error.cause as? Refusal == Refusal(number: 3))
        #expect(results.error == nil)
        // The changes are those of the objects that are shown.
        try await box.put(FragileMemo("zz"))
        await wait { results.objects.count == 3 }
        #expect(results.lastChange?.insertions == [2])
        var mended = FragileMemo("mended")
        mended.id = 2
        try await box.put(mended)
        await wait { results.unreadable.isEmpty }
        #expect(results.objects.map(\.text) == ["a", "mended", "z", "zz"])
        #expect(results.lastChange?.insertions == [1])
        #expect(results.lastChange?.modifications == [])
        mended.text = "torn"
        try await box.put(mended)
        await wait { results.unreadable.map(\.id) == [2] }
        #expect(results.objects.map(\.text) == ["a", "z", "zz"])
        #expect(results.lastChange?.deletions == [1])
        _ = try await box.remove(2)
        await wait { results.unreadable.isEmpty }
        #expect(results.objects.map(\.text) == ["a", "z", "zz"])
    }

    @Test(.timeLimit(.minutes(30)))
    func `results begin again after an error of the data`() async throws {
        try await box.put(Memo(text: "a", stars: 1))
        let results = box.query().ordered(by: \.text).live()
        await wait { results.isLoaded }
        let queries = try #require(store.types.liveQueries)
        let failed = Events<Void>()
        withObservationTracking {
            _ = results.error
        } onChange: {
            failed.add(())
        }
        queries.fail(DaybookError(.corruption, "The log is damaged."))
        #expect(await failed.next() != nil)
        // The query succeeds when it runs again.
        await wait { results.error == nil }
        #expect(results.objects.map(\.text) == ["a"])
        try await box.put(Memo(text: "b", stars: 1))
        await wait { results.objects.map(\.text) == ["a", "b"] }
        #expect(results.lastChange?.insertions == [1])
        // The registration for the retry has ended.
        await wait { results.error == nil && queries.listenerCount == 1 }
    }

    @Test(.timeLimit(.minutes(30)))
    func `a query that failed twice runs again after a commit of its entity`() async throws {
        let queries = try #require(store.types.liveQueries)
        let retries = LiveRetries()
        let damage = DaybookError(.corruption, "A row is damaged.")
        // A commit may have arrived before the registration, so the first wait is none.
        #expect(await retries.wait(after: damage, of: box.query()))
        #expect(queries.listenerCount == 1)
        let waited = Events<Int>()
        let waiting = Task {
            let isWanted = await retries.wait(after: damage, of: box.query())
            waited.add(1)
            return isWanted
        }
        for _ in 0..<20 { await Task.yield() }
        #expect(waited.all == [])
        try await box.put(Memo(text: "a", stars: 1))
        #expect(await waiting.value)
        retries.forget()
        #expect(queries.listenerCount == 0)
        // No commit makes an invalid query valid.
        let invalid = DaybookError(.invalidArgument, "A limit is negative.")
        let other = Task { await retries.wait(after: invalid, of: box.query()) }
        for _ in 0..<20 { await Task.yield() }
        #expect(queries.listenerCount == 0)
        retries.wake()
        #expect(await other.value)
    }
}
