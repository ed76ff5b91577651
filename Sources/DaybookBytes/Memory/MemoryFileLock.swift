internal import Synchronization

extension MemoryFileSystem {
    // The note is not recorded in the journal. It is never synced and would only multiply the
    // number of crash images.
    package func lock(_ path: String, note: String) throws(DaybookError) -> any FileLock {
        do { try open(path, .create).close() } catch {
            guard error.code == .fileExists else { throw error }
        }
        let file = try open(path, .readWrite)
        let node = try state.withLock { (state) throws(DaybookError) in
            guard let node = try state.volume.place(path, "lock").node else {
                throw FileLockNote.locked(path, holder: "")
            }
            guard state.locked.insert(node).inserted else {
                let holder = FileLockNote.firstLine(state.volume.nodes[node].content.bytes)
                throw FileLockNote.locked(path, holder: holder)
            }
            state.volume.nodes[node].content = MemoryContent(FileLockNote.line(note))
            return node
        }
        return MemoryFileLock(self, file: file, node: node)
    }
}

/// A lock in memory. It ends with the object and does not survive a power failure.
final class MemoryFileLock: FileLock {
    private let fileSystem: MemoryFileSystem
    private let file: any File
    private let node: Int
    private let isReleased = Atomic<Bool>(false)

    init(_ fileSystem: MemoryFileSystem, file: any File, node: Int) {
        self.fileSystem = fileSystem
        self.file = file
        self.node = node
    }

    deinit { release() }

    func release() {
        guard !isReleased.exchange(true, ordering: .acquiringAndReleasing) else { return }
        fileSystem.state.withLock { state in
            state.volume.nodes[node].content = MemoryContent()
            state.locked.remove(node)
        }
        file.close()
    }
}
