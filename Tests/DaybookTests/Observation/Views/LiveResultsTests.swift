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

    @Test func `results follow the store, and notify their observers`() async throws {
        try await box.put(Memo(text: "a", stars: 1))
        let results = box.query { $0.stars == 1 }.ordered(by: \.text).live()
        await wait { results.isLoaded }
        #expect(results.objects.map(\.text) == ["a"])
        #expect(results.lastChange == nil)
        let box = box
        async let put = box.put(Memo(text: "0", stars: 1))
        await wait { results.objects.count == 2 }
        _ = try await put
        #expect(results.objects.map(\.text) == ["0", "a"])
        await wait { results.lastChange != nil }
        #expect(results.lastChange?.insertions == [0])
        #expect(results.error == nil)
    }

    @Test func `an invalid query is an error of the results`() async throws {
        let results = box.query(Property<Memo, Int>("starz") == 3).live()
        await wait { results.error != nil }
        #expect((results.error as? DaybookError)?.code == .invalidArgument)
        #expect(results.objects.isEmpty && !results.isLoaded)
    }

    @Test func `released results no longer follow the store`() async throws {
        weak var gone: LiveResults<Memo>?
        do {
            let results = box.live()
            await wait { results.isLoaded }
            gone = results
        }
        #expect(gone == nil)
    }
}
