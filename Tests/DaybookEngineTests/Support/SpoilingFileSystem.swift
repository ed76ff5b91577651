import DaybookBytes
import DaybookTestSupport
import Synchronization

/// A file system that accepts every write and, once ``spoils`` is set, stores one wrong bit of each
/// write that does not begin a file.
final class SpoilingFileSystem: ForwardingFileSystem {
    let base: any FileSystem
    let spoils = Atomic(false)

    init(base: any FileSystem) { self.base = base }

    func open(_ path: String, _ mode: FileMode) throws(DaybookError) -> any File {
        SpoilingFile(base: try base.open(path, mode), disk: self)
    }
}

private final class SpoilingFile: ForwardingFile {
    let base: any File
    private let disk: SpoilingFileSystem

    init(base: any File, disk: SpoilingFileSystem) {
        self.base = base
        self.disk = disk
    }

    func write(_ bytes: Span<UInt8>, at offset: Int) throws(DaybookError) {
        var kept = bytes.array
        // Manifests and headers begin their files and are stored correctly.
        if offset > 0, disk.spoils.load(ordering: .relaxed) { kept[kept.count / 2] ^= 1 }
        try base.write(kept.span, at: offset)
    }
}
