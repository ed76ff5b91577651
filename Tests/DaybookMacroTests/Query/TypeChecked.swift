#if Macros
import DaybookTestSupport
import Foundation
import Testing

/// Source text that imports Daybook, and the diagnostics of the compiler.
struct TypeChecked {
    /// Each problem as `line:column severity: message`, in the compiler's order.
    let problems: [String]
    /// Everything that the compiler prints, also about code that macros generate.
    let text: String

    /// Runs the first compiler in the path with the modules next to the test bundle.
    init(
        _ source: String, arguments: [String] = [], hasWrongExpansions: Bool = false
    ) throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("daybook-type-check-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("Source.swift")
        try Data(source.utf8).write(to: file)
        let products = try #require(CompilerRun.products, "the modules are not beside the tests")
        let plugin = products.appendingPathComponent("DaybookMacros-tool").path + "#DaybookMacros"
        let run = try CompilerRun(
            [
                "-typecheck", "-module-name", "Source", "-diagnostic-style", "llvm",
                "-load-plugin-executable", plugin,
            ] + CompilerRun.arguments(products: products) + arguments + [file.path], in: folder)
        text = run.text
        problems = run.text.split(separator: "\n").compactMap { line in
            guard line.hasPrefix(file.path + ":") else { return nil }
            let parts = line.dropFirst(file.path.count + 1).split(separator: " ", maxSplits: 1)
            guard parts.count == 2, !parts[1].hasPrefix("note:") else { return nil }
            return "\(parts[0].dropLast()) \(parts[1])"
        }
        // A failure without a line of the source must not count as success.
        let isExpected =
            run.isSuccess || problems.contains { $0.contains("error") }
            || hasWrongExpansions && text.contains(" error: ")
        try #require(isExpected, "the compiler said: \(run.text)")
    }
}
#endif
