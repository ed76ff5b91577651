package import DaybookBytes
import DaybookLog
import Dispatch

extension Engine {
    /// Makes all commits so far durable. Throws `.durabilityUnknown` if the sync fails.
    package func sync() throws(DaybookError) {
        try requireOpen()
        defer { publication.tell() }
        try log.durability?.wait(for: log.lastSequence)
    }

    /// Closes the store: running transactions and queued writes finish, all commits become durable,
    /// and the next opening finds a clean end. Closing a closed store does nothing; every other use
    /// throws `.closed`.
    ///
    /// Compresses the log first if a noticeable part of it is not compressed. Cost: at most a read
    /// and a write of the active segment and of segments of the same length, and a snapshot.
    ///
    /// Throws `.invalidArgument` inside a write transaction of this store. Throws
    /// `.durabilityUnknown` if the last sync fails; the store is closed in this case, too.
    package func close() throws(DaybookError) {
        _ = try TransactionContext.role(of: self)
        if TransactionContext.isWriting(self) { throw Self.closedFromWithin }
        // The queue would wait for a shipper that may have ended.
        options.shipping?.endWaits()
        writeQueue.wait()
        if isOpen { compressRawFrames(because: .close) }
        try closeLog()
    }

    /// Closes the store without compressing the log. Throws the errors of ``close()``.
    func closeLog() throws(DaybookError) {
        let wasOpen = lifecycle.withLock { state in
            defer { state = .closed }
            return state == .open
        }
        guard wasOpen else { return }
        options.shipping?.endWaits()
        // The last event, when no lock is held.
        defer { events?.end() }
        // After the notification of the commits that this call makes durable.
        defer { publication.end() }
        timers.withLock { $0 = [] }
        dropPastVersions()
        // Waits for the last writer and the last maintenance task.
        writer.withLock { _ in }
        drainMaintenance()
        compaction.withLock { _ in }
        measure()
        guard !log.isReadOnly else { return }
        defer { publication.tell() }
        if let failure = log.durability?.failure {
            log.abandon()
            throw failure
        }
        do throws(DaybookError) {
            try log.durability?.wait(for: log.lastSequence)
            if trees.withLock({ $0.changesSinceSnapshot > options.snapshotChangeCountMin }) {
                try writeSnapshotAndPrune()
            }
        } catch  where error.code != .durabilityUnknown {
            // The log is complete without the snapshot; the next opening replays more.
            trees.withLock { $0.maintenanceFailure = error }
            events?.postFailure(error, of: .close)
        } catch {
            log.abandon()
            throw error
        }
        try log.close()
    }

    /// Removes the files of the closed store, and its directory unless that contains other files.
    /// Throws `.locked` if another process has opened the store for writing.
    package func removeFiles() throws(DaybookError) {
        try LogDirectory.removeFiles(in: log.directory, log.fileSystem)
    }

    /// Whether ``close()`` has not begun.
    package var isOpen: Bool { lifecycle.withLock { $0 == .open } }

    /// Whether the running thread is in a write transaction of this store.
    package var isWriting: Bool { TransactionContext.isWriting(self) }

    private static var closedFromWithin: DaybookError {
        DaybookError(
            .invalidArgument,
            "A store cannot be closed inside its own write transaction. Close it after the block.")
    }

    /// Waits for background work, unless the caller runs on the maintenance queue.
    private func drainMaintenance() {
        guard DispatchQueue.getSpecific(key: Self.maintenanceKey) == nil else { return }
        maintenance.sync {}
    }
}
