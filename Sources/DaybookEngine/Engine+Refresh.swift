package import DaybookBytes
import DaybookLog

extension Engine {
    /// In a read-only store: takes over what the writer has committed since. Returns whether there
    /// was anything. In a store that writes itself there never is.
    ///
    /// Cost: the frames since the last time; where a compaction or a recovery of the writer's came
    /// in between, sometimes a replay of the whole log. Indexes that need not be complete are built
    /// behind it. Throws `.closed` also where the store is closed while it runs, and ends early.
    @discardableResult
    package func refresh() throws(DaybookError) -> Bool {
        try requireOpen()
        guard log.isReadOnly else { return false }
        let isNewer: Bool
        do throws(DaybookError) {
            isNewer = try writer.withLock { _ throws(DaybookError) in try follow() }
        } catch  where error.code == .interrupted {
            // The store was closed meanwhile, which does not wait for all of it.
            try requireOpen()
            throw error
        }
        let last = trees.withLock { state in
            state.maintenanceFailure = nil
            return state.applied.sequence
        }
        publication.begin(at: last)
        releaseReplacedSegments()
        // What could not be read is tried again with the next opening, not with each commit.
        if isNewer { buildIndexesIfDue(retriesUnread: false) }
        return isNewer
    }

    /// Not cancelled with a task: trees that were changed half way would have to be rebuilt.
    private func follow() throws(DaybookError) -> Bool {
        try OperationCancellation.shielded { () throws(DaybookError) in try followLog() }
    }

    private func followLog() throws(DaybookError) -> Bool {
        let replayed = trees.withLock { $0.applied.sequence }
        switch try log.refresh(applied: replayed) {
        case .none: guard trees.withLock({ $0.isOutdated }) else { return false }
        case .appended: break
        case .replaced: trees.withLock { $0.isOutdated = true }
        }
        if !trees.withLock({ $0.isOutdated }) {
            do throws(DaybookError) {
                try replayTail()
                return true
            } catch  where error.isDamagedSnapshot {
                trees.withLock { $0.isOutdated = true }
            }
        }
        try replayAll()
        return true
    }

    /// Replays the whole log, and lets go of the segments that the writer has replaced. The caller
    /// holds the writer lock.
    func replayAll() throws(DaybookError) {
        try rebuild(replacing: slot.current)
        let left = log.leaveUnnamedSegments()
        trees.withLock { state in
            state.isOutdated = false
            if left.isEmpty { return }
            state.replaced.append(ReplacedSegments(stamp: state.stamp, numbers: left))
        }
    }

    private func replayTail() throws(DaybookError) {
        try trees.withLock { state throws(DaybookError) in
            var replay = Replay(
                schema: schemas.schema, applied: state.applied,
                lastTimeMicroseconds: state.lastTimeMicroseconds)
            replay.leavesBuilding = options.isMaintenanceAutomatic
            let start = try log.scanStart(state.position)
            // Where this fails half way the trees do not follow from the replay any more.
            state.isOutdated = true
            try replay.run(
                log, from: start, after: state.applied.sequence, into: slot.current,
                stamp: &state.stamp, isCancelled: { !isOpen },
                willPublish: { schema throws(DaybookError) in try schemas.add(schema.layouts) })
            state.applied = replay.applied
            state.lastTimeMicroseconds = replay.lastTimeMicroseconds
            state.position = log.end
            state.isOutdated = false
        }
    }
}
