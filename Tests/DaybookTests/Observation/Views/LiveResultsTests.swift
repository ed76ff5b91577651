@testable import Daybook
import DaybookTestSupport
import Foundation
import Observation
import Testing

@MainActor
@Suite struct LiveResultsTests {
    let store: Store
    let box: Box<Memo>

    init() throws {
        store = try Store(directoryPath: "memory:live-\(UUID().uuidString)", entities: Memo.self)
        box = store.box()
    }

    /// Waits until a property of the results that `body` reads has changed.
    private func change(of body: () -> Void) async {
        let changed = Events<Void>()
        withObservationTracking(body) { changed.add(()) }
        _ = await changed.next()
        // The notification precedes the change.
        await Task.yield()
    }

    @Test func `results follow the store, and notify their observers`() async throws {
        try await box.put(Memo(text: "a", stars: 1))
        let results = box.query { $0.stars == 1 }.ordered(by: \.text).live()
        while !results.isLoaded { await change { _ = results.isLoaded } }
        #expect(results.objects.map(\.text) == ["a"])
        #expect(results.lastChange == nil)
        let box = box
        async let put = box.put(Memo(text: "0", stars: 1))
        while results.objects.count < 2 { await change { _ = results.objects } }
        _ = try await put
        #expect(results.objects.map(\.text) == ["0", "a"])
        while results.lastChange == nil { await change { _ = results.lastChange } }
        #expect(results.lastChange?.insertions == [0])
        #expect(results.error == nil)
    }

    @Test func `an invalid query is an error of the results`() async throws {
        let results = box.query(Property<Memo, Int>("starz") == 3).live()
        while results.error == nil { await change { _ = results.error } }
        #expect((results.error as? DaybookError)?.code == .invalidArgument)
        #expect(results.objects.isEmpty && !results.isLoaded)
    }

    @Test func `released results no longer follow the store`() async throws {
        weak var gone: LiveResults<Memo>?
        do {
            let results = box.live()
            while !results.isLoaded { await change { _ = results.isLoaded } }
            gone = results
        }
        #expect(gone == nil)
    }
}
