package import DaybookBytes
import DaybookRecords
import DaybookLog
import DaybookPages

extension Engine {
    /// Writes a snapshot of the newest durable state while commits continue. Returns its sequence.
    /// Cost: the pages that changed since the last one, see ``SnapshotCapture``.
    ///
    /// The method captures the trees at a commit boundary, which is cheap, and then writes the
    /// pages from a pinned version. The captured commits are durable before the snapshot gets its
    /// name, because a snapshot that is newer than the log would be read as damage.
    @discardableResult
    package func writeSnapshot(
        isCancelled: () -> Bool = { false }
    ) throws(DaybookError) -> UInt64 {
        try writeNamedSnapshot(isCancelled: isCancelled).sequence
    }

    /// Writes a snapshot like ``writeSnapshot(isCancelled:)``. Returns the name of its file, too.
    func writeNamedSnapshot(
        isCancelled: () -> Bool = { false }
    ) throws(DaybookError) -> (sequence: UInt64, name: String) {
        try requireNoWriteTransaction(for: "Writing a snapshot")
        return try snapshots.withLock { _ throws(DaybookError) in
            let damaged = slot.current
            do throws(DaybookError) {
                return try writeCapture(isCancelled)
            } catch  where error.isDamagedSnapshot {
                // The trees contain pages of a snapshot that were not read until now and are
                // damaged.
                try writer.withLock { _ throws(DaybookError) in try rebuild(replacing: damaged) }
                return try writeCapture(isCancelled)
            }
        }
    }

    private func writeCapture(
        _ isCancelled: () -> Bool
    ) throws(DaybookError) -> (sequence: UInt64, name: String) {
        let signpost = Signpost("snapshot")
        defer { signpost.end() }
        let start = events?.now
        let captured = try capture()
        try log.durability?.wait(for: captured.metadata.position.sequence)
        publication.tell()
        let (name, summary) = try snapshotStore.write(
            captured.pages, captured.metadata, baseLengthMin: options.snapshotBaseLengthMin,
            isCancelled: isCancelled)
        adopt(captured.pages, name)
        trees.withLock { state in
            // Updated only now: changes that were captured but not written still need a replay.
            state.changesSinceSnapshot = max(
                0, state.changesSinceSnapshot - captured.changeCount)
            state.bytesSinceSnapshot = max(0, state.bytesSinceSnapshot - captured.logBytes)
            state.indexBytes = summary.storedLength
            state.lastSnapshotBytes = summary.length - summary.copiedLength
            state.written.snapshots += summary.length
        }
        let sequence = captured.metadata.position.sequence
        events?.post(
            .snapshotWritten(
                sequence: sequence, lengthBytes: summary.length, duration: .since(start)))
        return (sequence, name)
    }

    /// Makes a written snapshot the one that evicted pages are read from. If the file cannot be
    /// opened, the trees continue to use the previous snapshot.
    private func adopt(_ capture: SnapshotCapture, _ name: String) {
        guard isOpen, let written = try? snapshotStore.reopen(capture, name) else { return }
        writer.withLock { _ in capture.adopt(written) }
        evictIfDue()
    }

    var snapshotStore: SnapshotStore {
        SnapshotStore(fileSystem: log.fileSystem, directory: log.directory)
    }

    /// A state that is being written to a snapshot, with the amount of changes since the last one.
    private struct Captured {
        var pages: SnapshotCapture
        var metadata: SnapshotMetadata
        var changeCount: Int
        var logBytes: Int
    }

    private func capture() throws(DaybookError) -> Captured {
        try writer.withLock { _ throws(DaybookError) in
            try requireWritableForMaintenance()
            let manifest = log.manifest
            return trees.withLock { state in
                // Omits an active segment without frames: no location points into it, and recovery
                // may replace it, which would make a snapshot that names it unusable.
                let position = state.position
                let segments = log.segmentNumbers(manifest).filter {
                    $0 != position.segment || !position.isSegmentStart
                }
                let metadata = SnapshotMetadata(
                    store: log.store, position: position,
                    lastTimeMicroseconds: state.lastTimeMicroseconds, segments: segments,
                    schema: schemas.schema)
                return Captured(
                    pages: slot.current.capture(), metadata: metadata,
                    changeCount: state.changesSinceSnapshot, logBytes: state.bytesSinceSnapshot)
            }
        }
    }

    /// Throws if snapshots cannot be written. Unlike other operations, they are possible while the
    /// store is being closed.
    func requireWritableForMaintenance() throws(DaybookError) {
        if log.isReadOnly {
            throw DaybookError(.readOnly, "A read-only store cannot write snapshots.")
        }
        if let failure = log.durability?.failure { throw failure }
    }

    /// Writes a snapshot and removes old ones beyond ``SnapshotStore/keptCount``.
    func writeSnapshotAndPrune(isCancelled: () -> Bool = { false }) throws(DaybookError) {
        let name = try writeNamedSnapshot(isCancelled: isCancelled).name
        try pruneSnapshots(keeping: name)
    }

    /// Called at the end of opening. Removes the snapshots that a program left because it ended
    /// between writing a snapshot and removing the older ones. After an error they remain until the
    /// next snapshot.
    func pruneSnapshotsLeftBehind() {
        guard options.isMaintenanceAutomatic, let name = openReport.snapshotName else { return }
        try? pruneSnapshots(keeping: name)
    }

    /// Removes the snapshots before `name` except `olderCount` of them.
    func pruneSnapshots(
        keeping name: String, olderCount: Int = SnapshotStore.keptCount - 1
    ) throws(DaybookError) {
        try snapshots.withLock { _ throws(DaybookError) in
            try snapshotStore.prune(
                keeping: name, olderCount: olderCount, for: log.manifest)
        }
    }
}
