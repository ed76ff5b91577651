import DaybookBytes
import DaybookTestSupport
import Synchronization

/// A file system that counts the bytes read.
final class CountingDisk: ForwardingFileSystem {
    let base: any FileSystem
    let readByteCount = Atomic<Int>(0)

    init(_ base: any FileSystem) { self.base = base }

    func open(_ path: String, _ mode: FileMode) throws(DaybookError) -> any File {
        CountedFile(try base.open(path, mode), self)
    }

    private final class CountedFile: ForwardingFile {
        let base: any File
        let disk: CountingDisk

        init(_ base: any File, _ disk: CountingDisk) {
            self.base = base
            self.disk = disk
        }

        func read(_ count: Int, at offset: Int) throws(DaybookError) -> [UInt8] {
            let bytes = try base.read(count, at: offset)
            disk.readByteCount.add(bytes.count, ordering: .relaxed)
            return bytes
        }
    }
}
