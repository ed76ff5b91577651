import Foundation

/// The disk usage of a directory: allocated blocks, in MiB.
enum DiskUsage {
    /// Returns the usage of all files, including those in subfolders.
    static func mebibytes(of directory: String) -> Double {
        files(in: directory).reduce(0) { $0 + $1.mebibytes }
    }

    /// Returns the usage of the files whose names begin with `prefix`.
    static func mebibytes(of directory: String, filesNamed prefix: String) -> Double {
        files(in: directory).filter { $0.name.hasPrefix(prefix) }.reduce(0) { $0 + $1.mebibytes }
    }

    private static func files(in directory: String) -> [(name: String, mebibytes: Double)] {
        let paths = FileManager.default.enumerator(atPath: directory)?.compactMap { $0 as? String }
        return (paths ?? []).compactMap { path in
            var status = stat()
            guard lstat(directory + "/" + path, &status) == 0 else { return nil }
            guard status.st_mode & S_IFMT == S_IFREG else { return nil }
            let name = path.split(separator: "/").last.map(String.init) ?? path
            return (name, Double(status.st_blocks) * 512 / 1_048_576)
        }
    }
}
