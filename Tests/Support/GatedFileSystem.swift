package import DaybookBytes

/// A file system whose files sync through a gate; all else is as it is below.
package struct GatedFileSystem: FileSystem {
    private let base: any FileSystem
    private let gate: SyncGate

    package init(_ base: any FileSystem, _ gate: SyncGate) {
        self.base = base
        self.gate = gate
    }

    package func open(_ path: String, _ mode: FileMode) throws(DaybookError) -> any File {
        GatedFile(try base.open(path, mode), gate)
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
    package func remove(_ path: String) throws(DaybookError) { try base.remove(path) }
    package func syncDirectory(_ path: String) throws(DaybookError) {
        try base.syncDirectory(path)
    }
    package func lock(_ path: String, note: String) throws(DaybookError) -> any FileLock {
        try base.lock(path, note: note)
    }
}

private final class GatedFile: File {
    private let base: any File
    private let gate: SyncGate

    init(_ base: any File, _ gate: SyncGate) {
        self.base = base
        self.gate = gate
    }

    func read(_ count: Int, at offset: Int) throws(DaybookError) -> [UInt8] {
        try base.read(count, at: offset)
    }
    func write(_ bytes: Span<UInt8>, at offset: Int) throws(DaybookError) {
        try base.write(bytes, at: offset)
    }
    func size() throws(DaybookError) -> Int { try base.size() }
    func resize(to size: Int) throws(DaybookError) { try base.resize(to: size) }
    func preallocate(to size: Int) throws(DaybookError) { try base.preallocate(to: size) }
    func sync() throws(DaybookError) {
        try gate.pass()
        try base.sync()
    }
    func close() { base.close() }
}
