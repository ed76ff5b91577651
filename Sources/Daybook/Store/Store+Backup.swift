#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
import DaybookBytes
import DaybookEngine

extension Store {
    /// Copies the current state of the store into another directory. Reads, writes and compactions
    /// continue meanwhile. The next backup into the same directory adds only new data.
    ///
    /// The copy has every commit up to the one that the report names, and opens as a read-only
    /// store (``StoreOptions/isReadOnly``). The previous backup stays intact until the new one is
    /// complete, even after a crash. On the store's own file system, files that never change again
    /// are hard-linked. A link takes no time and no space. It protects against mistakes, but not
    /// against the loss of that disk.
    ///
    /// - Parameters:
    ///   - directory: a file URL: an empty directory, a directory that does not exist yet, or the
    ///     directory of the previous backup.
    ///   - verifyingAll: whether to read the data of the previous backup too, and to repair it if
    ///     it was damaged since. False saves that read and trusts the disk. New data is always read
    ///     back.
    ///   - progress: receives the completed part, 0 to 1.
    ///   - isCancelled: called often; true ends the backup with `.interrupted`.
    /// - Throws: `.backupInvalid` if the directory cannot hold a backup of this store, or holds one
    ///   with commits that this store does not have, because the store was restored to an earlier
    ///   state since, or is a copy that was written to separately; also if the store was opened for
    ///   writing more than 1,024 times since and compacted; `.locked` while another backup runs
    ///   there, `.invalidArgument` for a directory inside this store, `.corruption` if the store is
    ///   damaged, `.interrupted`, `.durabilityUnknown`, `.outOfSpace`, `.permissionDenied`,
    ///   `.inputOutput`, `.closed`. After an error the previous backup is unchanged, and a first
    ///   backup leaves no files.
    /// - Complexity: two reads and one write of new data that cannot be linked, and one read of all
    ///   other data of the backup.
    @discardableResult
    public func backup(
        to directory: URL, verifyingAll: Bool = true,
        progress: @escaping (Double) -> Void = { _ in },
        isCancelled: @escaping () -> Bool = { false }
    ) throws -> BackupReport {
        let path = try Self.backupPath(directory)
        // A backup of a store in memory is written to the disk.
        let target: RealFileSystem? = memory == nil ? nil : RealFileSystem()
        return try engine.backup(
            to: path, on: target, verifiesAll: verifyingAll,
            OperationControl(progress: progress, isCancelled: isCancelled))
    }

    /// `backup` without blocking the caller's thread. Throws `CancellationError` if the task is
    /// cancelled, and `.interrupted` if `isCancelled` returns true; the directory is left as after
    /// any other error.
    @discardableResult
    public func backup(
        to directory: URL, verifyingAll: Bool = true,
        progress: @escaping @Sendable (Double) -> Void = { _ in },
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) async throws -> BackupReport {
        try await Engine.runElsewhere {
            try self.backup(
                to: directory, verifyingAll: verifyingAll, progress: progress,
                isCancelled: isCancelled)
        }
    }

    /// Creates a new store from a backup, with the state of a moment or of the backup's end.
    ///
    /// The new store has the same commits, with their sequences, times and metadata. It has an
    /// identity of its own: later commits to it do not appear in the original store, nor vice
    /// versa. The whole copy is read back and compared with the backup before it becomes a store. A
    /// store that is not a backup can be restored from, too.
    ///
    /// - Parameters:
    ///   - backup: a file URL.
    ///   - directory: a file URL: an empty directory, or a directory that does not exist yet.
    ///   - moment: the last commit of the new store; nil for all commits.
    ///   - progress: receives the completed part, 0 to 1.
    ///   - isCancelled: called often; true ends the restore with `.interrupted`.
    /// - Throws: `.fileNotFound`, `.notAStore`, `.corruption` or `.formatTooNew` for the backup,
    ///   `.historyTruncated` for a moment that a compaction dropped, `.fileExists` for a directory
    ///   that is not empty, `.invalidArgument` for a directory inside the backup, a date that is
    ///   not a number, a moment before the first commit, or a sequence after the last,
    ///   `.interrupted`, `.outOfSpace`, `.permissionDenied`, `.inputOutput`. After an error no
    ///   files of the new store remain.
    /// - Complexity: four reads of the backup's log, and memory for two states of the store.
    @discardableResult
    public static func restore(
        from backup: URL, to directory: URL, until moment: HistoryMoment? = nil,
        progress: @escaping (Double) -> Void = { _ in },
        isCancelled: @escaping () -> Bool = { false }
    ) throws -> RestoreReport {
        try Engine.restore(
            from: try backupPath(backup), to: try backupPath(directory), until: moment?.point,
            RealFileSystem(), OperationControl(progress: progress, isCancelled: isCancelled))
    }

    /// `restore` without blocking the caller's thread. Throws `CancellationError` if the task is
    /// cancelled, and `.interrupted` if `isCancelled` returns true; no files of the new store
    /// remain then.
    @discardableResult
    public static func restore(
        from backup: URL, to directory: URL, until moment: HistoryMoment? = nil,
        progress: @escaping @Sendable (Double) -> Void = { _ in },
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) async throws -> RestoreReport {
        try await Engine.runElsewhere {
            try restore(
                from: backup, to: directory, until: moment, progress: progress,
                isCancelled: isCancelled)
        }
    }

    static func backupPath(_ directory: URL) throws(DaybookError) -> String {
        let path = try path(of: directory)
        guard !path.isEmpty, !path.utf8.contains(0) else { throw OpenedStore.unusable(path) }
        return path
    }
}
