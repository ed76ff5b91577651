internal import Synchronization

/// A `flock` on an open file. It is released explicitly, in deinit, or when the process ends.
final class RealFileLock: FileLock {
    private let file: RealFile
    private let isReleased = Atomic<Bool>(false)

    init(file: RealFile) {
        self.file = file
    }

    deinit { release() }

    func release() {
        guard !isReleased.exchange(true, ordering: .acquiringAndReleasing) else { return }
        // The note is cleared before the unlock, because the next holder writes its own note.
        try? file.resize(to: 0)
        file.unlock()
        file.close()
    }
}
