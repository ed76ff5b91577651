package import DaybookBytes

/// The directory of a backup: found or created, locked, with the manifest of the older backup in
/// it.
///
/// A first backup writes a manifest first and CURRENT last. In a directory without CURRENT, that
/// manifest identifies an interrupted backup. Without such a manifest, the directory is rejected
/// and left unchanged.
package struct BackupTarget {
    let path: String
    let fileSystem: any FileSystem
    let store: StoreIdentity
    private let lock: any FileLock
    /// The directories that were created for the backup, innermost first.
    private let made: [String]
    /// The existing backup, if there is one.
    package let older: Manifest?
    /// A generation that no manifest in the directory has.
    let nextGeneration: UInt64

    var manifestFile: ManifestFile { ManifestFile(fileSystem: fileSystem, directory: path) }

    /// Opens a directory for a backup of `store` and creates it if it is missing.
    ///
    /// Throws `.backupInvalid` for a directory with anything but a backup of that store, `.locked`
    /// while another process writes a backup there, `.permissionDenied`, `.outOfSpace`,
    /// `.inputOutput`.
    package static func open(
        _ path: String, _ fileSystem: any FileSystem, store: StoreIdentity, holder: String
    ) throws(DaybookError) -> BackupTarget {
        var made: [String] = []
        switch try fileSystem.kind(of: path) {
        case nil:
            made = try fileSystem.missingDirectories(of: path)
            try fileSystem.createDirectory(path)
        case .directory:
            // Checked before locking, because the lock creates a file.
            _ = try find(in: path, fileSystem, of: store)
        case .file, .other: throw invalid(path, "it is not a directory")
        }
        do throws(DaybookError) {
            let lock = try fileSystem.lock(path + "/" + StoreFileName.lock.text, note: holder)
            do throws(DaybookError) {
                let (older, newest) = try find(in: path, fileSystem, of: store)
                return BackupTarget(
                    path: path, fileSystem: fileSystem, store: store, lock: lock, made: made,
                    older: older, nextGeneration: newest + 1)
            } catch {
                lock.release()
                throw error
            }
        } catch {
            // Only empty directories can be removed.
            for directory in made { try? fileSystem.removeDirectory(directory) }
            throw error
        }
    }

    /// The backup in a directory, and the newest generation there.
    private static func find(
        in path: String, _ fileSystem: any FileSystem, of store: StoreIdentity
    ) throws(DaybookError) -> (older: Manifest?, newest: UInt64) {
        let names = try fileSystem.list(path)
        var newest: UInt64 = 0
        for case .manifest(let generation)? in names.map({ StoreFileName($0) }) {
            newest = max(newest, generation)
        }
        let older: Manifest?
        do throws(DaybookError) {
            older = try ManifestFile(fileSystem: fileSystem, directory: path).load()?.manifest
        } catch  where error.code == .corruption {
            throw damaged(path, error)
        }
        if let older {
            guard older.isBackup else { throw invalid(path, "it is a store, not a backup") }
            guard older.store == store else {
                throw invalid(path, "it contains a backup of store \(older.store)")
            }
        } else {
            try requireBeginning(names, in: path, fileSystem, of: store)
        }
        return (older, newest)
    }

    /// Rejects a directory without CURRENT unless it contains an interrupted first backup.
    private static func requireBeginning(
        _ names: [String], in path: String, _ fileSystem: any FileSystem, of store: StoreIdentity
    ) throws(DaybookError) {
        var isBegun = false
        var holdsFiles = false
        let manifestFile = ManifestFile(fileSystem: fileSystem, directory: path)
        for name in names where name != "lost+found" {
            switch StoreFileName(name) {
            case .manifest:
                guard let manifest = manifestFile.intact(name), manifest.isBackup,
                    manifest.store == store
                else { throw invalid(path, "it contains '\(name)' of another store") }
                isBegun = true
            case .segment, .snapshot: holdsFiles = true
            case .lock, .temporary: break
            case .current, .quarantine, .replica, nil: throw invalid(path, "it contains '\(name)'")
            }
        }
        if holdsFiles, !isBegun {
            throw invalid(path, "it contains files of a store without a manifest")
        }
    }

    /// Releases the lock.
    package func release() { lock.release() }

    /// Removes the files of `names`. After a failed first backup, removes all files and
    /// directories.
    func takeBack(_ names: [String]) {
        for name in names { try? fileSystem.remove(path + "/" + name) }
        guard older == nil else { return }
        let left = (try? fileSystem.list(path)) ?? []
        for name in left {
            switch StoreFileName(name) {
            case .manifest, .temporary, .segment: try? fileSystem.remove(path + "/" + name)
            default: break
            }
        }
        // Removed while locked: a process that waits for this lock file finds that it has no name.
        try? fileSystem.remove(path + "/" + StoreFileName.lock.text)
        for directory in made { try? fileSystem.removeDirectory(directory) }
    }

    static func damaged(_ path: String, _ cause: DaybookError) -> DaybookError {
        DaybookError(
            .backupInvalid,
            "The backup in \(path) is damaged and cannot be continued. Make a new one in"
                + " another directory.",
            cause: cause, details: ["path": path])
    }

    static func invalid(
        _ path: String, _ why: String, details: [String: String] = [:]
    ) -> DaybookError {
        DaybookError(
            .backupInvalid,
            "\(path) cannot contain a backup of this store: \(why). Use the directory of its"
                + " backup, or an empty or new directory.",
            details: details.merging(["path": path]) { $1 })
    }
}
