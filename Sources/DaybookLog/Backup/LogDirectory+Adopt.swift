package import DaybookBytes

extension LogDirectory {
    /// Makes a backup a store that may be written. Does nothing if it is one.
    ///
    /// The store has the identity of the original one, so the caller must ensure that both never
    /// commit on their own: it is a replica. Durable on return; after a crash the directory is the
    /// backup or the store. Throws `.locked`, `.notAStore`, and the errors of the file system.
    package static func adoptBackup(
        _ path: String, _ fileSystem: any FileSystem, holder: String
    ) throws(DaybookError) {
        guard try openForReading(path, fileSystem).manifest.isBackup else { return }
        let lock = try fileSystem.lock(
            path + "/" + StoreFileName.lock.text, note: holder, waitMilliseconds: 0)
        defer { lock.release() }
        let manifestFile = ManifestFile(fileSystem: fileSystem, directory: path)
        guard var manifest = try manifestFile.load()?.manifest, manifest.isBackup else { return }
        let generations = try fileSystem.list(path).map { name -> UInt64 in
            guard case .manifest(let generation)? = StoreFileName(name) else { return 0 }
            return generation
        }
        manifest.isBackup = false
        manifest.generation = (generations.max() ?? manifest.generation) + 1
        try manifestFile.commit(manifest)
    }
}
