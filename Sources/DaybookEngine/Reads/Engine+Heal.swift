import DaybookBytes
import DaybookRecords
import DaybookPages

extension Engine {
    /// Runs a read; where a group of the snapshot proves to be damaged, builds the indexes anew
    /// from the log and runs it once more. A damaged snapshot is never an error of the caller's.
    func healing<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as DaybookError where error.isDamagedSnapshot {
            let damaged = slot.current
            defer { publication.tell() }
            try writer.withLock { _ in try rebuild(replacing: damaged) }
            return try body()
        }
    }

    /// Folds the whole log into new trees and puts them in the place of `damaged`. The caller holds
    /// the writer lock; everything appended is durable first, so that what becomes visible stays.
    func rebuild(replacing damaged: PageSpace) throws(DaybookError) {
        guard slot.current === damaged else { return }
        // Not cancelled with a task: other readers and the writer need the trees.
        try OperationCancellation.shielded { () throws(DaybookError) in try rebuildFromLog() }
    }

    private func rebuildFromLog() throws(DaybookError) {
        try log.durability?.wait(for: log.lastSequence)
        try trees.withLock { state throws(DaybookError) in
            let space = PageSpace()
            var replay = Replay(schema: schemas.schema)
            // Of a writer a commit may wait for it, also while the store is being closed.
            replay.leavesBuilding = log.isReadOnly && options.isMaintenanceAutomatic
            try replay.run(
                log, from: nil, after: 0, into: space, stamp: &state.stamp,
                isCancelled: { log.isReadOnly && !isOpen })
            try schemas.add(replay.schema.layouts)
            state.fold = replay.fold
            state.lastTimeMicroseconds = replay.lastTimeMicroseconds
            state.position = log.end
            // No snapshot of these trees is left, so an opening would replay all of that.
            state.changesSinceSnapshot = replay.changeCount
            publication.forgetPending()
            slot.replace(with: space)
            publication.becameVisible(replay.fold.sequence)
        }
        if log.isReadOnly { buildIndexesIfDue(retriesUnread: false) }
    }
}

extension Engine {
    /// ``rebuild(replacing:)`` after a change of the trees that broke off half way: where even that
    /// fails, the trees cannot be trusted, and nothing is written any more.
    func rebuildOrStop(replacing damaged: PageSpace) throws(DaybookError) {
        do throws(DaybookError) {
            try rebuild(replacing: damaged)
        } catch {
            let stopped = DaybookError(
                .durabilityUnknown,
                "The indexes could not be built anew from the log, so the store takes no more"
                    + " writes. Close it and open it again: recovery will tell what is there.",
                cause: error)
            log.durability?.poison(stopped)
            throw stopped
        }
    }
}

extension DaybookError {
    /// Whether a page could not be read from its snapshot; the log still has all it said.
    var isDamagedSnapshot: Bool { details["snapshot"] != nil }
}
