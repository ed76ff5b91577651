import DaybookBytes
import DaybookLog

/// The places of the named consumers of a store, on their way into a backup of it or a copy: small
/// files in a directory beside the log.
///
/// They are read before the moment of the backup and written when it counts. So none is ahead of
/// the log that it is in, and where a crash comes between, the older ones stand there: a consumer
/// is told twice then, and never misses anything. In a copy they stand before it is a store.
struct BackupConsumers {
    private var files: [String: [UInt8]] = [:]

    /// Reads them. Throws `.permissionDenied`, `.inputOutput`.
    init(of directory: String, _ fileSystem: any FileSystem) throws(DaybookError) {
        let path = directory + "/" + ConsumerStore.directoryName
        guard try fileSystem.kind(of: path) == .directory else { return }
        for name in try fileSystem.list(path) where ConsumerStore.isName(name) {
            do throws(DaybookError) {
                files[name] = try fileSystem.readAll(path + "/" + name)
            } catch  where error.code == .fileNotFound {
                // Forgotten meanwhile.
            }
        }
    }

    /// Writes them into a backup, durable on return, and removes those that are no more there.
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

    /// Removes them from a directory that did not become a store, as far as that works.
    func takeBack(from directory: String, _ fileSystem: any FileSystem) {
        // Where its naming failed late, it may be one.
        guard let names = try? fileSystem.list(directory),
            !names.contains(StoreFileName.current.text)
        else { return }
        let path = directory + "/" + ConsumerStore.directoryName
        for name in files.keys { try? fileSystem.remove(path + "/" + name) }
        try? fileSystem.removeDirectory(path)
    }
}
