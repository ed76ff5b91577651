import DaybookBytes
import DaybookLog

/// The positions of the named consumers of a store, for a backup or copy of it: small files in a
/// directory next to the log.
///
/// They are read before the moment of the backup and written after the backup is valid. So no
/// position is after the end of the log in the backup. If a crash happens in between, the backup
/// has the older positions: a consumer receives changes twice, but misses none. In a copy, the
/// positions are written before the copy becomes a store.
struct BackupConsumers {
    private var files: [String: [UInt8]] = [:]

    /// Reads the positions. Throws `.permissionDenied` and `.inputOutput`.
    init(of directory: String, _ fileSystem: any FileSystem) throws(DaybookError) {
        let path = directory + "/" + ConsumerStore.directoryName
        guard try fileSystem.kind(of: path) == .directory else { return }
        for name in try fileSystem.list(path) where ConsumerStore.isName(name) {
            do throws(DaybookError) {
                files[name] = try fileSystem.readAll(path + "/" + name)
            } catch  where error.code == .fileNotFound {
                // The consumer was removed meanwhile.
            }
        }
    }

    /// Writes the positions to a backup and removes those of consumers that no longer exist.
    /// Durable on return.
    func write(to directory: String, _ fileSystem: any FileSystem) throws(DaybookError) {
        let path = directory + "/" + ConsumerStore.directoryName
        let isThere = try fileSystem.kind(of: path) == .directory
        guard isThere || !files.isEmpty else { return }
        try fileSystem.createDirectory(path)
        for (name, bytes) in files.sorted(by: { $0.key < $1.key }) {
            try fileSystem.replaceAtomically(bytes, named: name, in: path)
        }
        for name in try fileSystem.list(path)
        where ConsumerStore.isName(name) && files[name] == nil {
            try fileSystem.remove(path + "/" + name)
        }
        try fileSystem.syncDirectory(path)
    }

    /// Removes the positions from a directory that did not become a store. Ignores errors.
    func takeBack(from directory: String, _ fileSystem: any FileSystem) {
        // If naming the store failed late, the directory may be a store.
        guard let names = try? fileSystem.list(directory),
            !names.contains(StoreFileName.current.text)
        else { return }
        let path = directory + "/" + ConsumerStore.directoryName
        for name in files.keys { try? fileSystem.remove(path + "/" + name) }
        try? fileSystem.removeDirectory(path)
    }
}
