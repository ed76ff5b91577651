#if !canImport(Combine)
import DaybookTestSupport
import Foundation
import Testing

/// Type-checks the Combine code against a stand-in on platforms without Combine.
@Suite struct PublisherTests {
    private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../..").standardizedFileURL

    /// Returns the error output of the compiler.
    private func compile(_ arguments: [String], in folder: URL) throws -> String {
        let run = try CompilerRun(arguments, in: folder)
        return run.isSuccess ? "" : "failed: \(run.text)"
    }

    @Test func `the publishers compile with Combine`() throws {
        let folder = TemporaryDirectory()
        try folder.place("README", "What the compiler makes.")
        let standIn = root.appendingPathComponent("Tests/Combine/Combine.swift")
        var problems = try compile(
            [
                "-emit-module", "-module-name", "Combine", "-parse-as-library", standIn.path,
                "-emit-module-path", folder.url.appendingPathComponent("Combine.swiftmodule").path,
            ], in: folder.url)
        #expect(problems == "")
        let publishers = try String(
            contentsOf: root.appendingPathComponent(
                "Sources/DaybookObjectBox/Observation/Query+Publisher.swift"), encoding: .utf8)
        let use = """
            func use<E: Entity>(_ box: Box<E>, _ query: Query<E>) -> [AnyCancellable] {
                [box.publisher, query.publisher].map { publisher in
                    publisher.sink { completion in
                        if case .failure(let error) = completion { print(error.code) }
                    } receiveValue: { (objects: [E]) in
                        print(objects.count)
                    }
                }
            }
            """
        let source = folder.url.appendingPathComponent("Source.swift")
        // A separate module, so that not all of the library is compiled again.
        try Data("public import DaybookObjectBox\n\(publishers)\n\(use)\n".utf8).write(to: source)
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
