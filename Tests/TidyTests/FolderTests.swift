import Testing

/// Folders are small enough to be read as a table of contents.
@Suite struct FolderTests {
    static let fileCountMax = 20
    static let folderCountMax = 12

    /// A folder, and how many Swift files and folders are directly in it.
    struct Folder {
        var path: String
        var fileCount: Int
        var folderCount: Int

        /// The sentence that reports a folder that is too large; nil for the others.
        var problem: String? {
            if fileCount > FolderTests.fileCountMax {
                return "\(path) has \(fileCount) files, \(FolderTests.fileCountMax) are allowed"
            }
            if folderCount > FolderTests.folderCountMax {
                return
                    "\(path) has \(folderCount) folders, \(FolderTests.folderCountMax) are allowed"
            }
            return nil
        }
    }

    /// All folders that contain one of the files, directly or below.
    static func folders(of paths: [String]) -> [Folder] {
        var files: [String: Int] = [:]
        var folders: [String: Set<Substring>] = [:]
        for path in paths {
            let parts = path.split(separator: "/")
            files[parts.dropLast().joined(separator: "/"), default: 0] += 1
            for depth in parts.indices.dropFirst().dropLast() {
                folders[parts[..<depth].joined(separator: "/"), default: []].insert(parts[depth])
            }
        }
        return Set(files.keys).union(folders.keys).sorted().map {
            Folder(
                path: $0, fileCount: files[$0, default: 0],
                folderCount: folders[$0, default: []].count)
        }
    }

    @Test func `no folder has more than twenty files or twelve folders`() {
        let folders = Self.folders(of: SourceTree.all.map(\.path))
            // The folders of `Sources` and `Tests` are modules, which Package.swift lists.
            .filter { !["Sources", "Tests"].contains($0.path) }
        #expect(folders.count > 50)
        #expect(folders.compactMap(\.problem) == [])
    }

    @Test func `a folder with too many files or folders is reported`() {
        let files = (0...20).map { "Sources/Log/File\($0).swift" }
        let folders = (0...12).map { "Sources/Pages/Folder\($0)/File.swift" }
        let problems = Self.folders(of: files + folders).compactMap(\.problem)
        #expect(
            problems == [
                "Sources/Log has 21 files, 20 are allowed",
                "Sources/Pages has 13 folders, 12 are allowed",
            ])
        #expect(Self.folders(of: files.dropLast()).compactMap(\.problem) == [])
    }

    /// A name that occurs twice sends a reader to the wrong file.
    @Test func `no two files of a product have the same name`() {
        #expect(Self.repeatedNames(in: SourceTree.sources.map(\.path)) == [])
        #expect(
            Self.repeatedNames(in: ["Sources/A/Log.swift", "Sources/B/C/Log.swift"]) == ["Log"])
    }

    static func repeatedNames(in paths: [String]) -> [String] {
        let names = paths.compactMap { $0.split(separator: "/").last?.dropLast(6) }
        return Dictionary(grouping: names) { $0 }.filter { $0.value.count > 1 }.keys
            .map(String.init).sorted()
    }
}
