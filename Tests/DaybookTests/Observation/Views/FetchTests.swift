@testable import Daybook
import DaybookTestSupport
import Foundation
import Observation
import Testing

@MainActor
@Suite struct FetchTests {
    private func store(_ texts: [String] = ["a", "b", "c"]) throws -> Store {
        try Store.preview(entities: Memo.self) { store in
            try store.box().put(texts.enumerated().map { Memo(text: $1, stars: $0) })
        }
    }

    @Test(.timeLimit(.minutes(30)))
    func `a view fetches when it has a store, and again when its query differs`() async throws {
        let store = try store()
        let queries = try #require(store.types.liveQueries)
        let fetched = FetchedResults<Memo>()
        #expect(fetched.objects.isEmpty)
        #expect((fetched.error as? DaybookError)?.code == .invalidArgument)
        func evaluate(_ stars: Int) {
            fetched.update(store: store) { $0.query { $0.stars >= stars }.ordered(by: \.text) }
        }
        evaluate(1)
        #expect(queries.listenerCount == 0)
        await wait { fetched.objects.map(\.text) == ["b", "c"] }
        #expect(fetched.error == nil)
        let results = try #require(fetched.results)
        // A view is evaluated often, with an equal query.
        evaluate(1)
        #expect(fetched.results === results && !results.isExchanging)
        evaluate(2)
        #expect(fetched.results === results && results.isExchanging)
        #expect(fetched.objects.map(\.text) == ["b", "c"])
        await wait { fetched.objects.map(\.text) == ["c"] }
        #expect(results.lastChange?.deletions == [0])
        // A query that the view exchanged itself remains while the declared one is the same.
        results.query = store.box(for: Memo.self).query { $0.stars == 0 }
        evaluate(2)
        await wait { fetched.objects.map(\.text) == ["a"] }
        evaluate(1)
        await wait { fetched.objects.map(\.text) == ["b", "c"] }
    }

    @Test(.timeLimit(.minutes(30)))
    func `another store of the environment replaces the objects`() async throws {
        let (one, two) = (try store(["one"]), try store(["two"]))
        let fetched = FetchedResults<Memo>()
        fetched.update(store: one) { $0.query() }
        await wait { fetched.objects.map(\.text) == ["one"] }
        fetched.update(store: two) { $0.query() }
        await wait { fetched.objects.map(\.text) == ["two"] }
        let found = Events<Void>()
        withObservationTracking {
            _ = fetched.objects
        } onChange: {
            found.add(())
        }
        fetched.update(store: nil) { $0.query() }
        #expect(await found.next() != nil)
        #expect(fetched.objects.isEmpty && fetched.results == nil)
        #expect((fetched.error as? DaybookError)?.code == .invalidArgument)
    }

    @Test func `a view that asks for it has its first objects at once`() throws {
        let store = try store()
        let fetched = FetchedResults<Memo>(firstResult: .immediate)
        fetched.update(store: store) { $0.query { $0.stars > 0 } }
        #expect(fetched.objects.map(\.text) == ["b", "c"])
    }

    @Test func `queries are the same if they find and report the same`() throws {
        let (store, other) = (try store(), try store())
        let box = store.box(for: Memo.self)
        let query = box.query { $0.stars > 1 }.ordered(by: \.text).limit(3)
        let same = try box.query { $0.stars > 1 }.ordered(by: \.text).limit(3).build()
        #expect(query.isSame(as: same))
        let different = [
            box.query { $0.stars > 2 }.ordered(by: \.text).limit(3),
            box.query { $0.stars > 1 }.ordered(by: \.stars).limit(3),
            query.limit(4), query.offset(1), query.includingUnsynced(), query.watching(\.text),
            query.limit(-1),
            other.box(for: Memo.self).query { $0.stars > 1 }.ordered(by: \.text).limit(3),
        ]
        for other in different { #expect(!query.isSame(as: other)) }
    }
}
