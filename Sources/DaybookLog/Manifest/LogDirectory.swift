package import DaybookBytes

/// A store's directory: found or created, locked, with its manifest.
package struct LogDirectory: Sendable {
    package let path: String
    package let fileSystem: any FileSystem
    package let lock: (any FileLock)?
    package var manifest: Manifest
    /// Whether this call created the store.
    package let isNew: Bool
    /// The damage of CURRENT and of the manifest.
    package var damage: [ToleratedDamage] = []
    /// The segments of the manifest, if they are open; see ``openForReading(_:_:_:)``.
    var segments: OpenedSegments?

    var manifestFile: ManifestFile { ManifestFile(fileSystem: fileSystem, directory: path) }

    /// Opens a store for writing, and creates it in a missing or empty directory.
    ///
    /// Throws `.locked` (naming the holder) after waiting for the lock, `.notAStore` for a
    /// directory of other files, `.readOnly` for a backup, `.permissionDenied`, `.outOfSpace`,
    /// `.formatTooNew`, or `.corruption`.
    package static func openForWriting(
        _ path: String, _ fileSystem: any FileSystem, holder: String,
        lockWaitMilliseconds: Int = 0, identity: () -> StoreIdentity, timeMicroseconds: UInt64
    ) throws(DaybookError) -> LogDirectory {
        switch try fileSystem.kind(of: path) {
        case nil: try fileSystem.createDirectory(path)
        case .directory: try requireStoreOrNothing(path, fileSystem)
        case .file, .other: throw notAStore(path, "it is not a directory")
        }
        let lock = try fileSystem.lock(
            path + "/" + StoreFileName.lock.text, note: holder,
            waitMilliseconds: lockWaitMilliseconds)
        do throws(DaybookError) {
            let manifestFile = ManifestFile(fileSystem: fileSystem, directory: path)
            let hasCurrent = try fileSystem.kind(of: path + "/" + StoreFileName.current.text) != nil
            if try hasCurrent ? true : hasFrames(path, fileSystem) {
                guard let found = try manifestFile.load(checksCopies: true) else {
                    throw missingCurrent(path)
                }
                // A process that died between the swap of CURRENT and its sync may have left a name
                // that is not durable. Files of the previous manifest must not be removed before
                // that.
                try fileSystem.syncDirectory(path)
                guard !found.manifest.isBackup else { throw isBackup(path) }
                return LogDirectory(
                    path: path, fileSystem: fileSystem, lock: lock, manifest: found.manifest,
                    isNew: false, damage: found.damage)
            }
            try removeBeginning(path, fileSystem)
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
        try openForReading(path, fileSystem) { _ in nil }
    }

    /// Opens a store for reading. Calls `open` with the manifest. If that throws an error about a
    /// segment, and a writer has replaced the segment, calls `open` with the newer manifest.
    static func openForReading(
        _ path: String, _ fileSystem: any FileSystem,
        _ open: (Manifest) throws(DaybookError) -> OpenedSegments?
    ) throws(DaybookError) -> LogDirectory {
        switch try fileSystem.kind(of: path) {
        case nil:
            throw DaybookError(
                .fileNotFound, "There is no store at \(path). Check the path.",
                details: ["path": path])
        case .directory: break
        case .file, .other: throw notAStore(path, "it is not a directory")
        }
        let manifestFile = ManifestFile(fileSystem: fileSystem, directory: path)
        guard var found = try manifestFile.load(checksCopies: true) else {
            throw notAStore(path, "it has no CURRENT")
        }
        let segments = try openSegments(of: &found, manifestFile, open)
        // The writer's last swap of CURRENT may not be durable. Data shown from this manifest must
        // not disappear.
        do throws(DaybookError) {
            try fileSystem.syncDirectory(path)
        } catch  where error.isUnsupportedSync {
            // A read-only medium does not change, and a shared folder cannot do more.
        }
        return LogDirectory(
            path: path, fileSystem: fileSystem, lock: nil, manifest: found.manifest, isNew: false,
            damage: found.damage, segments: segments)
    }

    private static func openSegments(
        of found: inout ManifestFile.Found, _ manifestFile: ManifestFile,
        _ open: (Manifest) throws(DaybookError) -> OpenedSegments?
    ) throws(DaybookError) -> OpenedSegments? {
        while true {
            do throws(DaybookError) {
                return try open(found.manifest)
            } catch {
                guard let newer = try manifestFile.load(checksCopies: true),
                    let segment = error.details["segment"].flatMap({ UInt64($0) }),
                    !newer.manifest.segmentNumbers.contains(segment)
                else { throw error }
                found = newer
            }
        }
    }

    /// Rejects a directory with foreign files and without a store.
    private static func requireStoreOrNothing(
        _ path: String, _ fileSystem: any FileSystem
    ) throws(DaybookError) {
        let names = try fileSystem.list(path)
        if names.contains(where: { StoreFileName($0)?.namesStore ?? false }) { return }
        if let foreign = names.first(where: { StoreFileName($0) == nil && $0 != "lost+found" }) {
            throw notAStore(path, "it contains '\(foreign)' and no CURRENT")
        }
    }

    /// Whether a directory contains a segment with more than a header, or a snapshot.
    private static func hasFrames(
        _ path: String, _ fileSystem: any FileSystem
    ) throws(DaybookError) -> Bool {
        for name in try fileSystem.list(path) {
            switch StoreFileName(name) {
            case .segment:
                let file = try fileSystem.open(path + "/" + name, .read)
                defer { file.close() }
                if try file.size() > LogFormat.SegmentHeader.length { return true }
            case .snapshot: return true
            default: break
            }
        }
        return false
    }

    /// Removes the files of a store whose creation was interrupted: without CURRENT and without
    /// frames.
    private static func removeBeginning(
        _ path: String, _ fileSystem: any FileSystem
    ) throws(DaybookError) {
        for name in try fileSystem.list(path) {
            switch StoreFileName(name) {
            case .segment, .manifest, .temporary: try fileSystem.remove(path + "/" + name)
            default: break
            }
        }
    }

    private static func missingCurrent(_ path: String) -> DaybookError {
        DaybookError(
            .corruption,
            "The store at \(path) lacks the file CURRENT, which names its manifest, and its newest"
                + " manifest is damaged or names files that do not exist. Rebuild the store from"
                + " its segments with 'daybook repair DIR --into NEW'.",
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
