import DaybookBytes
import Synchronization

/// A share in a `memory:` store of this process: its content lives until the last share is given
/// back.
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

    /// Takes a share in the store of that name, which is new where nobody has one.
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

    /// Gives the share back; twice is fine.
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
