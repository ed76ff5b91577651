internal import Synchronization

/// A `flock` on an open file, given back when released, when forgotten or when the process ends.
final class RealFileLock: FileLock {
    private let file: RealFile
    private let isReleased = Atomic<Bool>(false)

    init(file: RealFile) {
        self.file = file
    }

    deinit { release() }

    func release() {
        guard !isReleased.exchange(true, ordering: .acquiringAndReleasing) else { return }
        // The note goes first: whoever takes the lock next may have written its own by then.
        try? file.resize(to: 0)
        file.unlock()
        file.close()
    }
}
