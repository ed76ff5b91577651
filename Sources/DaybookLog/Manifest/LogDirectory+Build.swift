package import DaybookBytes

extension LogDirectory {
    /// Begins a store that cannot be opened until it is complete: CURRENT is written last, by
    /// ``Log/name(_:historyFloor:)``.
    ///
    /// Creates the directory if it is missing, and locks it. The log will continue after
    /// `lastSequence`. Throws `.fileExists` for a directory that is not empty, `.locked`,
    /// `.permissionDenied`, `.outOfSpace`, `.inputOutput`.
    package static func beginUnnamed(
        _ path: String, _ fileSystem: any FileSystem, holder: String, store: StoreIdentity,
        ancestors: [Manifest.Ancestor] = [], after lastSequence: UInt64, timeMicroseconds: UInt64
    ) throws(DaybookError) -> LogDirectory {
        switch try fileSystem.kind(of: path) {
        case nil: try fileSystem.createDirectory(path)
        case .directory:
            guard try fileSystem.list(path).isEmpty else { throw notEmpty(path) }
        case .file, .other: throw notEmpty(path)
        }
        let lock = try fileSystem.lock(path + "/" + StoreFileName.lock.text, note: holder)
        var manifest = Manifest(store: store, createdMicroseconds: timeMicroseconds)
        manifest.generation = 1
        manifest.activeFirstSequence = lastSequence + 1
        manifest.ancestors = ancestors
        let directory = LogDirectory(
            path: path, fileSystem: fileSystem, lock: lock, manifest: manifest, isNew: true)
        do throws(DaybookError) {
            try SegmentFile.create(manifest, in: path, fileSystem).close()
            return directory
        } catch {
            directory.discardUnnamed()
            throw error
        }
    }

    /// Removes all files of the unfinished store; the directory was empty before and stays.
    package func discardUnnamed() {
        let names = (try? fileSystem.list(path)) ?? []
        guard !names.contains(StoreFileName.current.text) else {
            lock?.release()
            return
        }
        for name in names where StoreFileName(name) != nil && name != StoreFileName.lock.text {
            try? fileSystem.remove(path + "/" + name)
        }
        // Removed while locked: a process that waits for this lock file finds that it has no name.
        try? fileSystem.remove(path + "/" + StoreFileName.lock.text)
        lock?.release()
    }

    private static func notEmpty(_ path: String) -> DaybookError {
        DaybookError(
            .fileExists,
            "\(path) is not an empty directory. Use an empty or new directory.",
            details: ["path": path])
    }
}

extension Log {
    /// Commits finished segments as the log of an unfinished store, which can be opened from then
    /// on. Atomic.
    package func name(
        _ segments: [SegmentEntry], historyFloor: UInt64
    ) throws(DaybookError) {
        try commitManifest { manifest in
            manifest.sealed = segments
            manifest.historyFloor = historyFloor
            let numbers = segments.map(\.number) + [manifest.activeNumber]
            manifest.nextSegmentNumber = (numbers.max() ?? 0) + 1
        }
    }
}
