@testable import Daybook
import DaybookTestSupport
import Foundation
import Observation
import Testing

@MainActor
@Suite struct LiveValueTests {
    private let store: Store
    private let box: Box<Memo>

    init() throws {
        store = try Store(directoryPath: "memory:value-\(UUID().uuidString)", entities: Memo.self)
        box = store.box()
    }

    private func wait<Value>(
        for live: LiveValue<Value>, until isWanted: (Value?) -> Bool
    ) async {
        await DaybookTests.wait { isWanted(live.value) }
    }

    @Test(.timeLimit(.minutes(30)))
    func `a value follows the store, and notifies its observers`() async throws {
        let box = box
        try await box.put(Memo(text: "a", stars: 1))
        let live = store.values(observing: [Memo.self]) {
            (count: try box.count(), stars: try box.all().compactMap(\.stars).reduce(0, +))
        }.live()
        #expect(live.value == nil)
        await wait(for: live) { $0 != nil }
        #expect(live.value?.count == 1)
        async let put = box.put(Memo(text: "b", stars: 4))
        await wait(for: live) { $0?.count == 2 }
        _ = try await put
        #expect(live.value?.stars == 5)
        #expect(live.error == nil)
    }

    @Test(.timeLimit(.minutes(30)))
    func `a model without duplicates notifies of new values only`() async throws {
        let (box, runs) = (box, Events<Int>())
        let live = store.values(observing: [Memo.self]) {
            defer { runs.add(1) }
            return try box.query { $0.stars > 3 }.count()
        }.removingDuplicates().live()
        await wait(for: live) { $0 != nil }
        #expect(await runs.next() == 1)
        let changed = Events<Int>()
        withObservationTracking {
            _ = live.value
        } onChange: {
            changed.add(runs.all.count)
        }
        try await box.put(Memo(text: "low", stars: 1))
        #expect(await runs.next() == 1)
        try await box.put(Memo(text: "high", stars: 4))
        // The first change follows the third run of the closure.
        #expect(await changed.next() == 3)
        await wait(for: live) { $0 == 1 }
    }

    @Test(.timeLimit(.minutes(30)))
    func `an error of the closure is an error of the model`() async throws {
        let box = box
        let live = store.values(observing: [Memo.self]) {
            let count = try box.count()
            if count > 0 { throw Refusal(number: 4) }
            return count
        }.live()
        await wait(for: live) { $0 == 0 }
        try await box.put(Memo(text: "a", stars: 1))
        await DaybookTests.wait { live.error != nil }
        #expect(live.error?.cause as? Refusal == Refusal(number: 4))
        #expect(live.value == 0)
    }

    @Test(.timeLimit(.minutes(30)))
    func `one object is a model, too`() async throws {
        let id = try await box.put(Memo(text: "a", stars: 1))
        let live = box.values(of: id).live()
        await wait(for: live) { $0 != nil }
        #expect(live.value?.object?.text == "a")
        let box = box
        async let removed = box.remove(id)
        await wait(for: live) { $0?.object == nil }
        #expect(try await removed)
        #expect(live.error == nil)
    }

    @Test(.timeLimit(.minutes(30)))
    func `the close of the store keeps the value, and is no error`() async throws {
        let (box, store) = (box, store)
        let live = store.values(observing: [Memo.self]) { try box.count() }.live()
        await wait(for: live) { $0 == 0 }
        let queries = try #require(store.types.liveQueries)
        try await store.close()
        while queries.listenerCount > 0 { await Task.yield() }
        await Task.yield()
        #expect(live.value == 0)
        #expect(live.error == nil)
    }

    @Test(.timeLimit(.minutes(30)))
    func `a released model no longer follows the store`() async throws {
        let (box, queries) = (box, try #require(store.types.liveQueries))
        weak var gone: LiveValue<Int>?
        do {
            let live = store.values(observing: [Memo.self]) { try box.count() }.live()
            await wait(for: live) { $0 == 0 }
            #expect(queries.listenerCount == 1)
            gone = live
        }
        #expect(gone == nil)
        while queries.listenerCount > 0 { await Task.yield() }
        try await box.put(Memo(text: "a", stars: 1))
        #expect(queries.listenerCount == 0)
    }
}
