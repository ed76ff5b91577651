package import DaybookBytes

extension LogDirectory {
    /// Removes the files of a closed store, and the directory unless it contains other files.
    ///
    /// A missing directory is no error. Throws `.locked` if a process has the store open for
    /// writing, `.permissionDenied` or `.inputOutput`. After an error some files may remain.
    package static func removeFiles(
        in path: String, _ fileSystem: any FileSystem
    ) throws(DaybookError) {
        guard try fileSystem.kind(of: path) == .directory else { return }
        let lockPath = path + "/" + StoreFileName.lock.text
        let lock = try fileSystem.lock(lockPath, note: "the removal of the store")
        defer { lock.release() }
        var hasForeignFiles = false
        for name in try fileSystem.list(path) where name != StoreFileName.lock.text {
            switch StoreFileName(name) {
            case nil: hasForeignFiles = true
            case .quarantine: try removeDirectory(path + "/" + name, fileSystem)
            default: try fileSystem.remove(path + "/" + name)
            }
        }
        try fileSystem.remove(lockPath)
        if hasForeignFiles {
            try fileSystem.syncDirectory(path)
        } else {
            try fileSystem.removeDirectory(path)
        }
    }

    private static func removeDirectory(
        _ path: String, _ fileSystem: any FileSystem
    ) throws(DaybookError) {
        for name in try fileSystem.list(path) { try fileSystem.remove(path + "/" + name) }
        try fileSystem.removeDirectory(path)
    }
}
