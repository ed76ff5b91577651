package import DaybookBytes

/// A file system that calls closures before operations.
package struct FileHook: ForwardingFileSystem {
    package let base: any FileSystem
    private let willOpen: @Sendable (String) -> Void
    private let willRemove: @Sendable (String) -> Void
    private let willSyncDirectory: @Sendable () -> Void

    /// Creates a file system whose closures receive the path of the operation.
    package init(
        base: any FileSystem, willOpen: @escaping @Sendable (String) -> Void = { _ in },
        willRemove: @escaping @Sendable (String) -> Void = { _ in },
        willSyncDirectory: @escaping @Sendable () -> Void = {}
    ) {
        self.base = base
        self.willOpen = willOpen
        self.willRemove = willRemove
        self.willSyncDirectory = willSyncDirectory
    }

    package func open(_ path: String, _ mode: FileMode) throws(DaybookError) -> any File {
        willOpen(path)
        return try base.open(path, mode)
    }

    package func remove(_ path: String) throws(DaybookError) {
        willRemove(path)
        try base.remove(path)
    }

    package func syncDirectory(_ path: String) throws(DaybookError) {
        willSyncDirectory()
        try base.syncDirectory(path)
    }
}
