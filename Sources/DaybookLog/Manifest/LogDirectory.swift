package import DaybookBytes

/// A store's directory: found or made, locked, and its manifest read.
package struct LogDirectory: Sendable {
    package let path: String
    package let fileSystem: any FileSystem
    package let lock: (any FileLock)?
    package var manifest: Manifest
    /// Whether this call made the store.
    package let isNew: Bool

    var manifestFile: ManifestFile { ManifestFile(fileSystem: fileSystem, directory: path) }

    /// Opens a store for writing, making it where the directory is missing or empty.
    ///
    /// Throws `.locked` (naming the holder), `.notAStore` for a directory of other files,
    /// `.readOnly` for a backup, `.permissionDenied`, `.outOfSpace`, `.formatTooNew`, or
    /// `.corruption`.
    package static func openForWriting(
        _ path: String, _ fileSystem: any FileSystem, holder: String,
        identity: () -> StoreIdentity, timeMicroseconds: UInt64
    ) throws(DaybookError) -> LogDirectory {
        switch try fileSystem.kind(of: path) {
        case nil: try fileSystem.createDirectory(path)
        case .directory: try requireStoreOrNothing(path, fileSystem)
        case .file, .other: throw notAStore(path, "it is not a directory")
        }
        let lock = try fileSystem.lock(path + "/" + StoreFileName.lock.text, note: holder)
        do throws(DaybookError) {
            let manifestFile = ManifestFile(fileSystem: fileSystem, directory: path)
            if let manifest = try manifestFile.load() {
                // A process that died between the swap of CURRENT and its sync has left a name that
                // the disk may not have yet; what the manifest before it names must not go sooner.
                try fileSystem.syncDirectory(path)
                guard !manifest.isBackup else { throw isBackup(path) }
                return LogDirectory(
                    path: path, fileSystem: fileSystem, lock: lock, manifest: manifest,
                    isNew: false)
            }
            try requireNoFrames(path, fileSystem)
            var manifest = Manifest(store: identity(), createdMicroseconds: timeMicroseconds)
            manifest.generation = 1
            try SegmentFile.create(manifest, in: path, fileSystem).close()
            try manifestFile.commit(manifest)
            return LogDirectory(
                path: path, fileSystem: fileSystem, lock: lock, manifest: manifest, isNew: true)
        } catch {
            lock.release()
            throw error
        }
    }

    /// Opens a store for reading, beside a writer or alone. Takes no lock and changes nothing, but
    /// makes the names durable that it goes by.
    package static func openForReading(
        _ path: String, _ fileSystem: any FileSystem
    ) throws(DaybookError) -> LogDirectory {
        switch try fileSystem.kind(of: path) {
        case nil:
            throw DaybookError(
                .fileNotFound, "There is no store at \(path). Check the path.",
                details: ["path": path])
        case .directory: break
        case .file, .other: throw notAStore(path, "it is not a directory")
        }
        guard let manifest = try ManifestFile(fileSystem: fileSystem, directory: path).load() else {
            throw notAStore(path, "it has no CURRENT")
        }
        // A writer that died, or has not come to it yet, has left a name that the disk may not
        // have: what is shown by this manifest must not go with it.
        try fileSystem.syncDirectory(path)
        return LogDirectory(
            path: path, fileSystem: fileSystem, lock: nil, manifest: manifest, isNew: false)
    }

    /// Refuses a directory that other people's files stand in and no store.
    private static func requireStoreOrNothing(
        _ path: String, _ fileSystem: any FileSystem
    ) throws(DaybookError) {
        let names = try fileSystem.list(path)
        if names.contains(StoreFileName.current.text) { return }
        if let foreign = names.first(where: { StoreFileName($0) == nil && $0 != "lost+found" }) {
            throw notAStore(path, "it holds '\(foreign)' and no CURRENT")
        }
    }

    /// Without CURRENT a store may be made only if a crash cut an earlier making short: segments
    /// then hold no frame.
    private static func requireNoFrames(
        _ path: String, _ fileSystem: any FileSystem
    ) throws(DaybookError) {
        let names = try fileSystem.list(path)
        // Nothing goes before it is certain that nothing is lost with it.
        for name in names {
            switch StoreFileName(name) {
            case .segment:
                let file = try fileSystem.open(path + "/" + name, .read)
                defer { file.close() }
                guard try file.size() <= LogFormat.SegmentHeader.length else {
                    throw missingCurrent(path)
                }
            case .snapshot: throw missingCurrent(path)
            default: break
            }
        }
        for name in names {
            switch StoreFileName(name) {
            case .segment, .manifest, .temporary: try fileSystem.remove(path + "/" + name)
            default: break
            }
        }
    }

    private static func missingCurrent(_ path: String) -> DaybookError {
        DaybookError(
            .corruption,
            "The store at \(path) has lost CURRENT, which names its manifest. Restore that file"
                + " from a backup.",
            details: ["path": path, "file": "CURRENT"])
    }

    private static func isBackup(_ path: String) -> DaybookError {
        DaybookError(
            .readOnly,
            "\(path) is a backup, which nothing may change. Open it for reading, or restore it into"
                + " a new directory and open that.",
            details: ["path": path])
    }

    private static func notAStore(_ path: String, _ why: String) -> DaybookError {
        DaybookError(
            .notAStore,
            "\(path) is not a store: \(why). Name the right one; a new store needs a new"
                + " directory, or an empty one.",
            details: ["path": path])
    }
}
