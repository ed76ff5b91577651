package import DaybookBytes

extension LogDirectory {
    /// Begins a store that is complete before it is a store: its files are written, and CURRENT,
    /// without which nobody opens them, comes last, by ``Log/name(_:historyFloor:)``.
    ///
    /// The directory is made where it is missing, and locked. Its log will go on after
    /// `lastSequence`. Throws `.fileExists` for a directory that holds anything, `.locked`,
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

    /// Takes back what was begun: all files of ours, for the directory was empty. The directory
    /// stays.
    package func discardUnnamed() {
        let names = (try? fileSystem.list(path)) ?? []
        guard !names.contains(StoreFileName.current.text) else {
            lock?.release()
            return
        }
        for name in names where StoreFileName(name) != nil && name != StoreFileName.lock.text {
            try? fileSystem.remove(path + "/" + name)
        }
        // Still locked: whoever waits at the file that goes with this finds that it has no name.
        try? fileSystem.remove(path + "/" + StoreFileName.lock.text)
        lock?.release()
    }

    private static func notEmpty(_ path: String) -> DaybookError {
        DaybookError(
            .fileExists,
            "\(path) is not an empty directory. Name one that is empty or not there yet.",
            details: ["path": path])
    }
}

extension Log {
    /// Makes finished segments the log of a store that was begun without a name: from here on it
    /// can be opened. All of the segments or none.
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
