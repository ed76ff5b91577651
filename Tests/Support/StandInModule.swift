import Foundation

/// Type-checks a source file that needs a module of other platforms, against a stand-in for it:
/// `Tests/<module>/<module>.swift`.
public struct StandInModule {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../..").standardizedFileURL

    private let name: String
    private let folder = TemporaryDirectory()

    public init(_ name: String) { self.name = name }

    /// Returns the errors of the compiler; empty if there are none.
    ///
    /// - Parameters:
    ///   - path: the path of the source file in the repository.
    ///   - product: the module of Daybook that the file extends. It is imported, so that not all of
    ///     the library is compiled again.
    ///   - use: declarations that use those of the file.
    public func problems(in path: String, of product: String, with use: String) throws -> String {
        try folder.place("README", "The products of the compiler.")
        guard let products = CompilerRun.products else { return "no modules beside the tests" }
        let standIn = Self.root.appendingPathComponent("Tests/\(name)/\(name).swift")
        let module = folder.url.appendingPathComponent("\(name).swiftmodule")
        let made = try CompilerRun(
            [
                "-emit-module", "-module-name", name, "-parse-as-library", standIn.path,
                "-emit-module-path", module.path,
            ], in: folder.url)
        guard made.isSuccess else { return "failed: \(made.text)" }
        let content = try String(
            contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
        let source = folder.url.appendingPathComponent("Source.swift")
        try Data("public import \(product)\n\(content)\n\(use)\n".utf8).write(to: source)
        let checked = try CompilerRun(
            [
                "-typecheck", "-warnings-as-errors", "-strict-memory-safety",
                "-enable-upcoming-feature", "ExistentialAny",
                "-enable-upcoming-feature", "InternalImportsByDefault",
                "-I", folder.url.path, source.path,
            ] + CompilerRun.arguments(products: products), in: folder.url)
        return checked.isSuccess ? "" : "failed: \(checked.text)"
    }
}
