#if !canImport(SwiftUI)
import DaybookTestSupport
import Foundation
import Testing

/// Type-checks the SwiftUI code against a stand-in on platforms without SwiftUI.
@Suite struct FetchShellTests {
    private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../..").standardizedFileURL

    /// Returns the error output of the compiler.
    private func compile(_ arguments: [String], in folder: URL) throws -> String {
        let run = try CompilerRun(arguments, in: folder)
        return run.isSuccess ? "" : "failed: \(run.text)"
    }

    @Test func `the property wrapper compiles with SwiftUI`() throws {
        let folder = TemporaryDirectory()
        try folder.place("README", "What the compiler makes.")
        let standIn = root.appendingPathComponent("Tests/SwiftUI/SwiftUI.swift")
        var problems = try compile(
            [
                "-emit-module", "-module-name", "SwiftUI", "-parse-as-library", standIn.path,
                "-emit-module-path", folder.url.appendingPathComponent("SwiftUI.swiftmodule").path,
            ], in: folder.url)
        #expect(problems == "")
        let shell = try String(
            contentsOf: root.appendingPathComponent(
                "Sources/Daybook/Observation/Views/Fetch.swift"), encoding: .utf8)
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
        let source = folder.url.appendingPathComponent("Source.swift")
        // A separate module, so that not all of the library is compiled again.
        try Data("public import Daybook\n\(shell)\n\(use)\n".utf8).write(to: source)
        let products = try #require(CompilerRun.products, "the modules are not beside the tests")
        problems = try compile(
            [
                "-typecheck", "-warnings-as-errors", "-strict-memory-safety",
                "-enable-upcoming-feature", "ExistentialAny",
                "-enable-upcoming-feature", "InternalImportsByDefault",
                "-I", folder.url.path, source.path,
            ] + CompilerRun.arguments(products: products), in: folder.url)
        #expect(problems == "")
    }
}
#endif
