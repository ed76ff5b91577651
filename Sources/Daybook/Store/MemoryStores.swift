import DaybookBytes
import Synchronization

/// A reference to a `memory:` store of this process. The content is released with the last
/// reference.
final class MemoryStoreShare: Sendable {
    static let prefix = "memory:"

    private struct Entry {
        var fileSystem: MemoryFileSystem
        var shareCount: Int
    }

    private static let stores = Mutex<[String: Entry]>([:])

    let fileSystem: MemoryFileSystem
    private let name: String
    private let isGivenBack = Mutex(false)

    /// Adds a reference to the store with this name. Creates the store if there is none.
    init(name: String) {
        self.name = name
        fileSystem = Self.stores.withLock { stores in
            var entry = stores[name] ?? Entry(fileSystem: MemoryFileSystem(), shareCount: 0)
            entry.shareCount += 1
            stores[name] = entry
            return entry.fileSystem
        }
    }

    deinit { giveBack() }

    /// Releases the reference. A second call has no effect.
    func giveBack() {
        let isLate = isGivenBack.withLock { isGivenBack in
            defer { isGivenBack = true }
            return isGivenBack
        }
        if isLate { return }
        Self.stores.withLock { stores in
            guard var entry = stores[name] else { return }
            entry.shareCount -= 1
            stores[name] = entry.shareCount > 0 ? entry : nil
        }
    }
}
