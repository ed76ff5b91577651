import DaybookBytes
import Synchronization

/// A disk that takes every write and, once ``spoils`` is set, keeps one bit of each
/// wrong that does not begin a file.
final class SpoilingFileSystem: FileSystem {
    let base: any FileSystem
    let spoils = Atomic(false)

    init(base: any FileSystem) { self.base = base }

    func open(_ path: String, _ mode: FileMode) throws(DaybookError) -> any File {
        SpoilingFile(base: try base.open(path, mode), disk: self)
    }
    func list(_ directory: String) throws(DaybookError) -> [String] { try base.list(directory) }
    func kind(of path: String) throws(DaybookError) -> FileKind? { try base.kind(of: path) }
    func createDirectory(_ path: String) throws(DaybookError) { try base.createDirectory(path) }
    func rename(_ path: String, to newPath: String) throws(DaybookError) {
        try base.rename(path, to: newPath)
    }
    func remove(_ path: String) throws(DaybookError) { try base.remove(path) }
    func syncDirectory(_ path: String) throws(DaybookError) { try base.syncDirectory(path) }
    func lock(_ path: String, note: String) throws(DaybookError) -> any FileLock {
        try base.lock(path, note: note)
    }
}

private final class SpoilingFile: File {
    private let base: any File
    private let disk: SpoilingFileSystem

    init(base: any File, disk: SpoilingFileSystem) {
        self.base = base
        self.disk = disk
    }

    func read(_ count: Int, at offset: Int) throws(DaybookError) -> [UInt8] {
        try base.read(count, at: offset)
    }
    func write(_ bytes: Span<UInt8>, at offset: Int) throws(DaybookError) {
        var kept = bytes.array
        // Manifests and headers begin their files, and stay as they are.
        if offset > 0, disk.spoils.load(ordering: .relaxed) { kept[kept.count / 2] ^= 1 }
        try base.write(kept.span, at: offset)
    }
    func size() throws(DaybookError) -> Int { try base.size() }
    func resize(to size: Int) throws(DaybookError) { try base.resize(to: size) }
    func preallocate(to size: Int) throws(DaybookError) { try base.preallocate(to: size) }
    func sync() throws(DaybookError) { try base.sync() }
    func close() { base.close() }
}
