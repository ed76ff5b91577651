import Foundation

/// The package's own files, as they stand on the disk beside these tests.
enum SourceTree {
    /// The root of the package.
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Every Swift file of the package that people write.
    static let all = files(under: ["Sources", "Tests", "Tools", "Plugins", "Samples"])
    /// Those that ship.
    static let sources = all.filter { $0.path.hasPrefix("Sources/") }
    /// Those that ship, and the tools over them.
    static let sourcesAndTools =
        sources
        + all.filter { $0.path.hasPrefix("Tools/") || $0.path.hasPrefix("Plugins/") }

    /// The text of a file, by its path from the root.
    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// Whether there is a file or folder at a path from the root.
    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }

    /// The names in a folder, sorted, without the hidden ones.
    static func names(in folder: String) -> [String] {
        let names = try? FileManager.default.contentsOfDirectory(
            atPath: root.appending(path: folder).path)
        return (names ?? []).filter { !$0.hasPrefix(".") }.sorted()
    }

    /// The paths of all files with an ending below a folder, sorted.
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
