package import DaybookBytes
import DaybookLog

extension Engine {
    /// Replays the commits that the writer has made since the last refresh. Returns whether there
    /// were any. For read-only stores; returns false for a store that writes.
    ///
    /// Cost: the frames since the last refresh. After a compaction by the writer, sometimes a
    /// replay of the whole log. Indexes that may be incomplete are built afterwards. If
    /// the store is closed meanwhile, ends early and throws `.closed`.
    @discardableResult
    package func refresh() throws(DaybookError) -> Bool {
        try requireOpen()
        guard log.isReadOnly else { return false }
        let start = events?.now
        let known = trees.withLock { $0.applied.sequence }
        let isNewer: Bool
        do throws(DaybookError) {
            isNewer = try writer.withLock { _ throws(DaybookError) in try follow() }
        } catch  where error.code == .interrupted {
            // The store was closed meanwhile: closing does not wait for the whole refresh.
            try requireOpen()
            throw error
        }
        let last = trees.withLock { state in
            state.maintenanceFailure = nil
            return state.applied.sequence
        }
        publication.begin(at: last)
        if isNewer { noteRefresh(commitCount: last - min(last, known), .since(start)) }
        expirePastVersions(after: last, isLarge: false)
        releaseReplacedSegments()
        // Rows that could not be read are retried at the next opening, not after each commit.
        if isNewer { buildIndexesIfDue(retriesUnread: false) }
        return isNewer
    }

    private func noteRefresh(commitCount: UInt64, _ duration: Duration) {
        guard let events else { return }
        events.post(.refreshed(commitCount: commitCount, duration: duration))
        if events.isSlow(duration, events.limits.refresh) {
            events.post(.slowRefresh(commitCount: commitCount, duration: duration))
        }
    }

    /// Not cancelled with the task, because partly changed trees would need a rebuild.
    private func follow() throws(DaybookError) -> Bool {
        try OperationCancellation.shielded { () throws(DaybookError) in try followLog() }
    }

    private func followLog() throws(DaybookError) -> Bool {
        let replayed = trees.withLock { $0.applied.sequence }
        switch try log.refresh(applied: replayed) {
        case .none: guard trees.withLock({ $0.isOutdated }) else { return false }
        case .appended: break
        case .replaced:
            dropPastVersions()
            commitRecords.removeAll()
            trees.withLock { $0.isOutdated = true }
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

    /// Replays the whole log and releases the segments that the writer has replaced. The caller
    /// holds the writer lock.
    func replayAll() throws(DaybookError) {
        try rebuild(replacing: slot.current, isDamaged: false)
        let left = log.leaveUnnamedSegments()
        trees.withLock { state in
            state.isOutdated = false
            if left.isEmpty { return }
            state.replaced.append(ReplacedSegments(stamp: state.stamp, numbers: left))
        }
    }

    /// Applies the frames after the replayed ones to the trees, and publishes the result.
    func replayTail() throws(DaybookError) {
        try trees.withLock { state throws(DaybookError) in
            var replay = Replay(
                schema: schemas.schema, applied: state.applied,
                lastTimeMicroseconds: state.lastTimeMicroseconds)
            replay.leavesBuilding = options.isMaintenanceAutomatic
            let start = try log.scanStart(state.position)
            // If the replay fails midway, the trees no longer match `state`.
            state.isOutdated = true
            try replay.run(
                log, from: start, after: state.applied.sequence, into: slot.current,
                stamp: &state.stamp, isCancelled: { log.isReadOnly && !isOpen },
                willPublish: { schema throws(DaybookError) in try schemas.add(schema.layouts) })
            state.applied = replay.applied
            state.lastTimeMicroseconds = replay.lastTimeMicroseconds
            state.position = log.end
            state.changesSinceSnapshot += replay.changeCount
            state.bytesSinceSnapshot += replay.byteCount
            state.isOutdated = false
        }
    }
}
