#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
import DaybookBytes
import DaybookEngine

extension Store {
    /// Makes a copy of the store as it is now in another directory, while reading, writing and
    /// compactions go on. The next backup into the same directory adds what is new.
    ///
    /// The copy has every commit up to the one that the report names, and opens as a read-only
    /// store (``StoreOptions/isReadOnly``). The backup that was there before stays whole until the
    /// new one is, whatever happens. On the store's own file system, files that are never written
    /// again are linked: that takes no time and no space, and protects from mistakes, not from the
    /// loss of that disk.
    ///
    /// - Parameters:
    ///   - directory: a file URL: an empty directory, one that is not there yet, or the one of the
    ///     backup before.
    ///   - verifyingAll: whether what the backup before had is read again, too, and made good where
    ///     it was damaged since. False saves that read and trusts the disk; what is new is always
    ///     read back.
    ///   - progress: told the part that is done, 0 to 1.
    ///   - isCancelled: asked often; true ends the backup with `.interrupted`.
    /// - Throws: `.backupInvalid` for a directory that cannot take a backup of this store, or holds
    ///   one with commits that this store does not have, for it was set back since;
    ///   `.locked` while another one is made there, `.invalidArgument` for one inside this store,
    ///   `.corruption` where the store is damaged, `.interrupted`, `.durabilityUnknown`,
    ///   `.outOfSpace`, `.permissionDenied`, `.inputOutput`, `.closed`. The backup before is what
    ///   it was then, and a first one leaves nothing.
    /// - Complexity: two reads and a write of what is new and cannot be linked, one read of all
    ///   else that the backup has. After a compaction of the store also a read of what it wrote,
    ///   and of what the backup had in its place.
    @discardableResult
    public func backup(
        to directory: URL, verifyingAll: Bool = true,
        progress: @escaping (Double) -> Void = { _ in },
        isCancelled: @escaping () -> Bool = { false }
    ) throws -> BackupReport {
        let path = try Self.backupPath(directory)
        // A store in memory is kept on the disk.
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

    /// Builds a new store from a backup, as it was at a moment or at its end.
    ///
    /// The new store has the same commits, with their sequences, times and metadata, and an
    /// identity of its own: what is committed to it is not in the store that the backup was made
    /// of, nor the other way round. Before it becomes a store, all of it is read back and compared
    /// with the backup. A store that is no backup can be restored from, too.
    ///
    /// - Parameters:
    ///   - backup: a file URL.
    ///   - directory: a file URL: an empty directory, or one that is not there yet.
    ///   - moment: the last commit that the new store has; nil is all of them.
    ///   - progress: told the part that is done, 0 to 1.
    ///   - isCancelled: asked often; true ends it with `.interrupted`.
    /// - Throws: `.fileNotFound`, `.notAStore`, `.corruption` or `.formatTooNew` for the backup,
    ///   `.historyTruncated` for a moment that a compaction dropped, `.fileExists` for a directory
    ///   that is not empty, `.invalidArgument` for one inside the backup, for a date that is no
    ///   number, a moment before the first commit and a sequence behind the last, `.interrupted`,
    ///   `.outOfSpace`, `.permissionDenied`, `.inputOutput`. Nothing is left of the new store then.
    /// - Complexity: four reads of the backup's log, and memory for two of its states.
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
    /// cancelled, and `.interrupted` if `isCancelled` returns true; nothing is left of the new
    /// store then.
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

    private static func backupPath(_ directory: URL) throws(DaybookError) -> String {
        let path = try path(of: directory)
        guard !path.isEmpty, !path.utf8.contains(0) else { throw OpenedStore.unusable(path) }
        return path
    }
}
