import DaybookBytes
import DaybookEngine
import DaybookTesting
import DaybookTestSupport
import Testing

/// Stores on media that cannot be written or synced.
@Suite struct ReadOnlyMediaTests {
    private let memory = MemoryFileSystem()

    /// A store that was not closed, so that a reader has frames to sync.
    private func files() throws -> MemoryFileSystem {
        let notes = try NoteStore(memory) { $0.durability = .manual }
        for number in 0..<5 { try notes.put("note \(number)") }
        let files = memory.afterKill()
        try notes.engine.close()
        return files
    }

    /// The numbers of EINVAL, which a file system without syncs returns, and of EROFS.
    @Test(arguments: [22, 30] as [Int32])
    func `a store opens for reading where nothing can be synced`(errno: Int32) throws {
        let notes = try NoteStore(
            UnsyncedFiles(base: try files(), errno: errno), access: .read)
        #expect(try notes.count() == 5)
        try notes.engine.close()
    }

    @Test func `a failed sync of a directory is still an error`() throws {
        let disk = FaultFileSystem(
            try files(), failingCall: 1, fault: .errno(5), persistence: .once,
            counting: [.syncDirectory])
        let error = #expect(throws: DaybookError.self) {
            try NoteStore(disk, access: .read)
        }
        #expect(error?.code == .inputOutput)
    }
}

/// A file system whose directories and files cannot be synced.
private struct UnsyncedFiles: ForwardingFileSystem {
    let base: any FileSystem
    let errno: Int32

    func syncDirectory(_ path: String) throws(DaybookError) {
        throw .operatingSystem(errno: errno, operation: "sync the directory", path: path)
    }

    func open(_ path: String, _ mode: FileMode) throws(DaybookError) -> any File {
        UnsyncedFile(base: try base.open(path, mode), errno: errno)
    }
}

private final class UnsyncedFile: ForwardingFile {
    let base: any File
    private let errno: Int32

    init(base: any File, errno: Int32) {
        self.base = base
        self.errno = errno
    }

    func sync() throws(DaybookError) {
        throw .operatingSystem(errno: errno, operation: "sync", path: "")
    }
}
