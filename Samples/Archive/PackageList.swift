import Foundation

/// A package index: a file of the machine's package manager, or the excerpt included in the sample.
struct PackageList {
    /// The file name without its extension; stored with each package.
    let name: String
    let path: String

    init(path: String) {
        self.path = path
        let file = URL(filePath: path).lastPathComponent
        // Host names contain dots too, so only known extensions are removed.
        let ending = Self.compressed.first(where: file.hasSuffix) ?? ""
        name = String(file.dropLast(ending.count))
    }

    private static let compressed = [".lz4", ".gz", ".xz", ".zst"]
    private static let directory = "/var/lib/apt/lists"
    private static let reader = "/usr/lib/apt/apt-helper"

    /// Returns the lists of this machine, or the excerpt if the machine has none.
    static func found() throws -> [PackageList] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        let lists = files.filter { file in
            file.hasSuffix("_Packages")
                || compressed.contains { file.hasSuffix("_Packages" + $0) }
        }
        if !lists.isEmpty { return lists.sorted().map { PackageList(path: directory + "/" + $0) } }
        return [try excerpt]
    }

    /// An excerpt with about two hundred packages.
    static var excerpt: PackageList {
        get throws {
            guard
                let url = Bundle.module.url(
                    forResource: "excerpt_Packages", withExtension: nil, subdirectory: "Excerpt")
            else { throw ArchiveError("The excerpt is missing from the sample's resources.") }
            return PackageList(path: url.path)
        }
    }

    /// Returns the text of the index. The package manager's own tool decompresses compressed lists.
    func text() throws -> [UInt8] {
        if !Self.compressed.contains(where: path.hasSuffix) {
            return [UInt8](try Data(contentsOf: URL(filePath: path)))
        }
        guard FileManager.default.isExecutableFile(atPath: Self.reader) else {
            throw ArchiveError(
                "\(path) is compressed, and \(Self.reader) is not there to unpack it.")
        }
        let process = Process()
        process.executableURL = URL(filePath: Self.reader)
        process.arguments = ["cat-file", path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = [UInt8](output.fileHandleForReading.readDataToEndOfFile())
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw ArchiveError("\(Self.reader) could not unpack \(path).")
        }
        return bytes
    }
}
