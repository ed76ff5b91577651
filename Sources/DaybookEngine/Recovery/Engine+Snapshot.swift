package import DaybookBytes
import DaybookRecords
import DaybookLog
import DaybookPages

extension Engine {
    /// Writes a snapshot of the newest durable state, beside running commits. Returns the sequence
    /// it stands for.
    ///
    /// The trees are captured at a commit boundary, which is cheap; the pages are then written from
    /// a pinned version. What is captured is durable before the snapshot gets its name, for a
    /// snapshot ahead of the log would be read as damage.
    @discardableResult
    package func writeSnapshot(
        isCancelled: () -> Bool = { false }
    ) throws(DaybookError) -> UInt64 {
        try requireNoWriteTransaction(for: "Writing a snapshot")
        return try snapshots.withLock { _ throws(DaybookError) in
            let damaged = slot.current
            do throws(DaybookError) {
                return try writeCapture(isCancelled)
            } catch  where error.isDamagedSnapshot {
                // Pages that were never touched stood in a snapshot that proves to be damaged.
                try writer.withLock { _ throws(DaybookError) in try rebuild(replacing: damaged) }
                return try writeCapture(isCancelled)
            }
        }
    }

    private func writeCapture(_ isCancelled: () -> Bool) throws(DaybookError) -> UInt64 {
        let captured = try capture()
        try log.durability?.wait(for: captured.metadata.position.sequence)
        publication.tell()
        let summary = try snapshotStore.write(
            captured.pages, captured.metadata, isCancelled: isCancelled)
        trees.withLock { state in
            // Not before: what was captured and not written is still to be replayed.
            state.changesSinceSnapshot = max(
                0, state.changesSinceSnapshot - captured.changeCount)
            state.bytesSinceSnapshot = max(0, state.bytesSinceSnapshot - captured.logBytes)
            state.lastSnapshotBytes = summary.length
        }
        return captured.metadata.position.sequence
    }

    var snapshotStore: SnapshotStore {
        SnapshotStore(fileSystem: log.fileSystem, directory: log.directory)
    }

    /// A state on its way into a snapshot, and what it covers that the last one did not.
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
                // A segment without frames is not pointed into, and recovery may put another one in
                // its place: a snapshot that named it would be lost by that.
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

    /// Snapshots go on while a store is being closed, unlike everything else.
    func requireWritableForMaintenance() throws(DaybookError) {
        if log.isReadOnly {
            throw DaybookError(.readOnly, "A read-only store writes no snapshots.")
        }
        if let failure = log.durability?.failure { throw failure }
    }

    /// Writes a snapshot and lets go of those beyond ``SnapshotStore/keptCount``.
    func writeSnapshotAndPrune(isCancelled: () -> Bool = { false }) throws(DaybookError) {
        try writeSnapshot(isCancelled: isCancelled)
        try snapshots.withLock { _ throws(DaybookError) in try snapshotStore.prune() }
    }
}
