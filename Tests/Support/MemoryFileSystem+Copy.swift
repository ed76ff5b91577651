package import DaybookBytes

extension MemoryFileSystem {
    /// What another process finds when this one is killed now: every write, and no lock.
    package func afterKill() -> MemoryFileSystem { MemoryFileSystem(contents: contents) }

    /// The same with one file changed.
    package func afterKill(
        changing path: String, _ change: (inout [UInt8]) -> Void
    ) -> MemoryFileSystem {
        var contents = contents
        if var bytes = contents[path] {
            change(&bytes)
            contents[path] = bytes
        }
        return MemoryFileSystem(contents: contents)
    }

    /// The paths of all files whose names begin so.
    package func paths(_ prefix: String) -> [String] {
        contents.keys.filter { ($0.split(separator: "/").last ?? "").hasPrefix(prefix) }.sorted()
    }
}
