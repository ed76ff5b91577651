public import Daybook

// ObjectBox's calls that find and delete a store.

extension Store {
    /// The beginning of a `directoryPath` of a store without files.
    public static var inMemoryPrefix: String { "memory:" }

    /// Returns the store that is open in this process in a directory, or under a name that begins
    /// with ``inMemoryPrefix``. It is the same object: `close()` closes it for all.
    ///
    /// - Throws: `.closed` if no store is open there.
    public static func attachTo(directory: String) throws -> Store {
        if let store = open(at: directory) { return store }
        throw DaybookError(
            .closed,
            "No store is open in '\(directory)' in this process. Open it with"
                + " Store(directoryPath:) first.",
            details: ["path": directory])
    }

    /// Returns whether a store is open in this process in a directory, or under a name that begins
    /// with ``inMemoryPrefix``.
    public static func isOpen(directory: String) throws -> Bool { open(at: directory) != nil }

    /// Closes the store. As Daybook's `close()`, but the call does not throw. An error is kept in
    /// ``Daybook/Store/maintenanceError``: for example, commits since the last sync may be lost.
    /// Inside a write transaction of this store the store stays open. In new code, prefer
    /// `try await close()`, which throws.
    public func close() { closeKeepingError() }

    /// Closes the store and removes its files. Removes the directory too, unless it contains other
    /// files.
    ///
    /// - Throws: `.invalidArgument` inside a write transaction of this store, which stays open;
    ///   `.locked` if another process has opened the store for writing, `.permissionDenied` or
    ///   `.inputOutput`.
    public func closeAndDeleteAllFiles() throws { try closeAndRemoveFiles() }
}
