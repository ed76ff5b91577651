package import DaybookBytes
package import Synchronization

/// A file system that counts the bytes read.
package final class CountingDisk: ForwardingFileSystem {
    package let base: any FileSystem
    package let readByteCount = Atomic<Int>(0)

    package init(_ base: any FileSystem) { self.base = base }

    package func open(_ path: String, _ mode: FileMode) throws(DaybookError) -> any File {
        CountedFile(try base.open(path, mode), self)
    }

    /// Returns the number of bytes that are read while `body` runs.
    package func readBytes(_ body: () throws -> Void) rethrows -> Int {
        let before = readByteCount.load(ordering: .relaxed)
        try body()
        return readByteCount.load(ordering: .relaxed) - before
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
