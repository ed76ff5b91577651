import Foundation

/// The files of the package, located relative to these tests.
enum SourceTree {
    /// The root of the package.
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Every handwritten Swift file of the package.
    static let all = files(
        under: ["Sources", "Tests", "Tools", "Plugins", "Samples", "Replication", "Browser"])
    /// The files of the library.
    static let sources = all.filter { $0.path.hasPrefix("Sources/") }
    /// The files of the library, and of the libraries of nested packages.
    static let libraries =
        sources
        + all.filter {
            $0.path.hasPrefix("Replication/Sources/") || $0.path.hasPrefix("Browser/Sources/")
        }
    /// The files of the libraries and of the tools.
    static let sourcesAndTools =
        libraries
        + all.filter { $0.path.hasPrefix("Tools/") || $0.path.hasPrefix("Plugins/") }

    /// Returns the text of a file at a path from the root.
    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// Whether a file or folder exists at a path from the root.
    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }

    /// Returns the names in a folder, sorted, without hidden ones.
    static func names(in folder: String) -> [String] {
        let names = try? FileManager.default.contentsOfDirectory(
            atPath: root.appending(path: folder).path)
        return (names ?? []).filter { !$0.hasPrefix(".") }.sorted()
    }

    /// Returns the paths of all files with an extension below a folder, sorted.
    static func paths(under folder: String, ending: String) -> [String] {
        var found: [String] = []
        for name in names(in: folder) {
            let path = folder + "/" + name
            if name.hasSuffix(ending) { found.append(path) }
            found += paths(under: path, ending: ending)
        }
        return found
    }

    private static func files(under folders: [String]) -> [SourceFile] {
        folders.flatMap { paths(under: $0, ending: ".swift") }.compactMap { path in
            (try? text(path)).map { SourceFile(path: path, text: $0) }
        }
    }
}
