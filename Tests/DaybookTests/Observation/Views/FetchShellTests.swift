#if !canImport(SwiftUI)
import DaybookTestSupport
import Foundation
import Testing

/// Type-checks the SwiftUI code against a stand-in on platforms without SwiftUI.
@Suite struct FetchShellTests {
    @Test func `the property wrapper compiles with SwiftUI`() throws {
        let use = """
            @MainActor struct Memos<E: Entity>: View {
                @Fetch private var all: [E]
                @Fetch(firstResult: .immediate, { $0.query().limit(10) }) private var first: [E]

                init(limit: Int) { _all = Fetch { $0.query().limit(limit) } }

                var body: some View {
                    let count = all.count + first.count
                    let error = $all.error
                    $first.results?.retry()
                    return Text(count: count, error: error)
                }
            }
            struct Text: View {
                var count: Int
                var error: (any Error)?
                var body: some View { EmptyView() }
            }
            @MainActor func preview<E: Entity>(_ type: E.Type) throws -> some View {
                Memos<E>(limit: 3).daybookStore(try .preview(entities: type))
            }
            """
        let problems = try StandInModule("SwiftUI").problems(
            in: "Sources/Daybook/Observation/Views/Fetch.swift", of: "Daybook",
            with: use)
        #expect(problems == "")
    }
}
#endif
