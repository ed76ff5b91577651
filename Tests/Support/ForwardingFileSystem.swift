package import DaybookBytes

/// A file system that forwards all calls to another one, unless a test overrides them.
package protocol ForwardingFileSystem: FileSystem {
    var base: any FileSystem { get }
}

extension ForwardingFileSystem {
    package func open(_ path: String, _ mode: FileMode) throws(DaybookError) -> any File {
        try base.open(path, mode)
    }
    package func list(_ directory: String) throws(DaybookError) -> [String] {
        try base.list(directory)
    }
    package func kind(of path: String) throws(DaybookError) -> FileKind? { try base.kind(of: path) }
    package func createDirectory(_ path: String) throws(DaybookError) {
        try base.createDirectory(path)
    }
    package func rename(_ path: String, to newPath: String) throws(DaybookError) {
        try base.rename(path, to: newPath)
    }
    package func link(_ path: String, to newPath: String) throws(DaybookError) -> Bool {
        try base.link(path, to: newPath)
    }
    package func remove(_ path: String) throws(DaybookError) { try base.remove(path) }
    package func removeDirectory(_ path: String) throws(DaybookError) {
        try base.removeDirectory(path)
    }
    package func resolve(_ path: String) throws(DaybookError) -> String { try base.resolve(path) }
    package func syncDirectory(_ path: String) throws(DaybookError) {
        try base.syncDirectory(path)
    }
    package func lock(_ path: String, note: String) throws(DaybookError) -> any FileLock {
        try base.lock(path, note: note)
    }
}

/// A file that forwards all calls to another one, unless a test overrides them.
package protocol ForwardingFile: File {
    var base: any File { get }
}

extension ForwardingFile {
    package func read(_ count: Int, at offset: Int) throws(DaybookError) -> [UInt8] {
        try base.read(count, at: offset)
    }
    package func write(_ bytes: Span<UInt8>, at offset: Int) throws(DaybookError) {
        try base.write(bytes, at: offset)
    }
    package func size() throws(DaybookError) -> Int { try base.size() }
    package func resize(to size: Int) throws(DaybookError) { try base.resize(to: size) }
    package func preallocate(to size: Int) throws(DaybookError) { try base.preallocate(to: size) }
    package func sync() throws(DaybookError) { try base.sync() }
    package func close() { base.close() }
}
