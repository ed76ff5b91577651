package import DaybookBytes

/// A store's directory: found or created, locked, with its manifest.
package struct LogDirectory: Sendable {
    package let path: String
    package let fileSystem: any FileSystem
    package let lock: (any FileLock)?
    package var manifest: Manifest
    /// Whether this call created the store.
    package let isNew: Bool

    var manifestFile: ManifestFile { ManifestFile(fileSystem: fileSystem, directory: path) }

    /// Opens a store for writing, and creates it in a missing or empty directory.
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
                // A process that died between the swap of CURRENT and its sync may have left a name
                // that is not durable. Files of the previous manifest must not be removed before
                // that.
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

    /// Opens a store for reading, with or without a concurrent writer. Takes no lock and changes
    /// nothing, but syncs the directory.
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
        // The writer's last swap of CURRENT may not be durable. Data shown from this manifest must
        // not disappear.
        do throws(DaybookError) {
            try fileSystem.syncDirectory(path)
        } catch  where error.isUnsupportedSync {
            // A read-only medium does not change, and a shared folder cannot do more.
        }
        return LogDirectory(
            path: path, fileSystem: fileSystem, lock: nil, manifest: manifest, isNew: false)
    }

    /// Rejects a directory with foreign files and without a store.
    private static func requireStoreOrNothing(
        _ path: String, _ fileSystem: any FileSystem
    ) throws(DaybookError) {
        let names = try fileSystem.list(path)
        if names.contains(StoreFileName.current.text) { return }
        if let foreign = names.first(where: { StoreFileName($0) == nil && $0 != "lost+found" }) {
            throw notAStore(path, "it contains '\(foreign)' and no CURRENT")
        }
    }

    /// Without CURRENT, a store may be created only if a crash interrupted an earlier creation,
    /// whose segments contain no frame.
    private static func requireNoFrames(
        _ path: String, _ fileSystem: any FileSystem
    ) throws(DaybookError) {
        let names = try fileSystem.list(path)
        // No file is removed before all files were checked.
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
            "The store at \(path) lacks the file CURRENT, which names its manifest. Rebuild the"
                + " store from its segments with 'daybook repair DIR --into NEW'.",
            details: ["path": path, "file": "CURRENT"])
    }

    private static func isBackup(_ path: String) -> DaybookError {
        DaybookError(
            .readOnly,
            "\(path) is a backup, which must not be changed. Open it for reading, or restore it"
                + " to a new directory and open that.",
            details: ["path": path])
    }

    private static func notAStore(_ path: String, _ why: String) -> DaybookError {
        DaybookError(
            .notAStore,
            "\(path) is not a store: \(why). Check the path; a new store needs a new or empty"
                + " directory.",
            details: ["path": path])
    }
}
