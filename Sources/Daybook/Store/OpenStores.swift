import DaybookBytes
import Synchronization

/// The open stores of this process.
enum OpenStores {
    private struct Entry {
        var path: String
        weak var store: Store?
    }

    private static let entries = Mutex<[ObjectIdentifier: Entry]>([:])

    static func add(_ store: Store) {
        let entry = Entry(path: canonical(store.directoryPath), store: store)
        entries.withLock { $0[ObjectIdentifier(store)] = entry }
    }

    static func remove(_ store: Store) {
        let key = ObjectIdentifier(store)
        entries.withLock { $0[key] = nil }
    }

    static func first(at directoryPath: String) -> Store? {
        let path = canonical(directoryPath)
        // The references are released outside the lock: the end of a store removes its entry.
        let stores = entries.withLock { entries in
            entries.values.compactMap { $0.path == path ? $0.store : nil }
        }
        return stores.first { $0.engine.isOpen }
    }

    private static func canonical(_ path: String) -> String {
        if path.hasPrefix(MemoryStoreShare.prefix) { return path }
        return (try? RealFileSystem().resolve(path)) ?? path
    }
}

extension Store {
    /// Returns the store of a directory or `memory:` name that is open in this process; nil if
    /// there is none.
    package static func open(at directoryPath: String) -> Store? {
        OpenStores.first(at: directoryPath)
    }
}
