package import DaybookBytes
import DaybookLog
import Dispatch

extension Engine {
    /// Starts the automatic work: syncs at intervals, refreshes from a writer's commits, and index
    /// builds that an earlier opening began.
    func startTimers() {
        if log.isReadOnly {
            repeatEvery(options.refreshIntervalMilliseconds, on: maintenance) { engine in
                var failure: DaybookError?
                do throws(DaybookError) { try engine.refresh() } catch { failure = error }
                engine.trees.withLock { $0.maintenanceFailure = failure }
                guard failure?.code != .closed else { return }
                engine.events?.postFailure(failure, of: .refresh)
            }
        } else if case .interval(let duration) = options.durability {
            repeatEvery(max(1, duration.wholeMilliseconds), on: intervalSyncs) { try? $0.sync() }
        }
        repeatEvery(Self.cacheAdjustmentIntervalMilliseconds, on: .global(qos: .utility)) {
            $0.adjustCachesToSpareMemory()
        }
        if events != nil {
            repeatEvery(
                options.measurementIntervalMilliseconds, on: .global(qos: .utility)
            ) { if $0.isOpen { $0.measure() } }
        }
        buildIndexesIfDue()
        resumeErasures()
    }

    /// Finishes the erasures that an earlier opening began, or another replica, in the background.
    func resumeErasures() {
        guard canResumeErasures else { return }
        maintenance.async { [weak self] in
            guard let self, let failure = finishErasuresIfDue() else { return }
            finishMaintenance(failure)
        }
    }

    /// Called at the end of opening. If the opening replayed much, because earlier programs never
    /// closed the store, starts a snapshot in the background. If it replayed twice as much, writes
    /// the snapshot itself: such programs may end before a background task does.
    func writeSnapshotIfReplayedMuch() {
        guard options.isMaintenanceAutomatic else { return }
        let changedByteCount = slot.current.changedByteCount
        let (isDue, isOverdue) = trees.withLock { state in
            let countMax = max(
                options.openingReplayCountMax,
                changedByteCount / Self.changedBytesPerReplayedChange)
            let count = state.changesSinceSnapshot
            state.isMaintenanceScheduled = count > countMax
            return (count > countMax, count > 2 * countMax)
        }
        if isOverdue {
            finishMaintenance(writeMaintenanceSnapshot())
        } else if isDue {
            maintenance.async { [weak self] in
                guard let self else { return }
                finishMaintenance(writeMaintenanceSnapshot())
            }
        }
    }

    /// The number of bytes of changed pages whose writing takes as long as the replay of one
    /// change, so that an opening never spends more on a snapshot than a later one saves.
    private static let changedBytesPerReplayedChange = 8 << 10

    /// Runs a removal of expired objects in the background, now and at intervals, until the store
    /// is closed. `isCancelled` returns true then. The error of the last run is a
    /// ``maintenanceFailure``.
    package func repeatRemoval(
        everyMilliseconds milliseconds: Int,
        _ remove: @escaping @Sendable (_ isCancelled: () -> Bool) throws -> Void
    ) {
        let run: @Sendable (Engine) -> Void = { engine in
            var failure: DaybookError?
            do {
                try remove { !engine.isOpen }
            } catch {
                failure =
                    error as? DaybookError
                    ?? DaybookError(
                        .invalidValue, "Expired objects cannot be removed: \(error)",
                        cause: error)
            }
            // The next run of a closed store would be at its next opening.
            guard engine.isOpen else { return }
            engine.trees.withLock { $0.removalFailure = failure }
            engine.events?.postFailure(failure, of: .expiry)
        }
        maintenance.async { [weak self] in self.map(run) }
        repeatEvery(milliseconds, on: maintenance, run)
    }

    private func repeatEvery(
        _ milliseconds: Int, on queue: DispatchQueue, _ act: @escaping @Sendable (Engine) -> Void
    ) {
        guard milliseconds > 0 else { return }
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(
            deadline: .now() + .milliseconds(milliseconds), repeating: .milliseconds(milliseconds))
        timer.setEventHandler { [weak self] in
            guard let self else { return }
            act(self)
        }
        timers.withLock { $0.append(TimerBox(timer)) }
        timer.activate()
    }

    /// Called after each commit. Starts a snapshot or the compression of sealed segments in the
    /// background if they are due, and then drops expired history.
    func maintainIfDue(rolled: Bool) {
        guard options.isMaintenanceAutomatic else { return }
        let isDue = trees.withLock { state in
            guard !state.isMaintenanceScheduled else { return false }
            let interval = max(options.snapshotIntervalBytes, state.lastSnapshotBytes / 2)
            state.isMaintenanceScheduled = rolled || state.bytesSinceSnapshot >= interval
            return state.isMaintenanceScheduled
        }
        guard isDue else { return }
        maintenance.async { [weak self] in
            guard let self else { return }
            let failure = maintain()
            // Retries an index build that failed, too.
            buildIndexesIfDue()
            finishMaintenance(failure)
        }
    }

    func finishMaintenance(_ failure: DaybookError?) {
        trees.withLock {
            $0.isMaintenanceScheduled = false
            $0.maintenanceFailure = failure
            // Retries a failed task after another interval, not with each commit.
            if failure != nil { $0.bytesSinceSnapshot = 0 }
        }
        events?.postFailure(failure, of: .maintenance)
    }

    private func maintain() -> DaybookError? {
        releaseReplacedSegments()
        let stopped = finishErasuresIfDue()
        let known = trees.withLock { $0.unreadableSegments }
        let isCompressionDue = compactible(log.manifest.sealed).contains {
            !$0.isBlocked && known[$0.number] == nil
        }
        var failed: DaybookError?
        if isCompressionDue {
            failed = failure { () throws(DaybookError) in
                _ = try compact(.all, because: .sealedSegment)
            }
        }
        if !isCompressionDue || failed != nil { failed = writeMaintenanceSnapshot() ?? failed }
        // A compaction that drops history reads all segments, the unreadable ones included.
        let unreadable = trees.withLock { $0.unreadableSegments }
        guard unreadable.isEmpty else {
            return failed ?? stopped ?? unreadable.min { $0.key < $1.key }?.value
        }
        return failed ?? stopped ?? failure { () throws(DaybookError) in try dropExpiredHistory() }
    }

    func writeMaintenanceSnapshot() -> DaybookError? {
        failure { () throws(DaybookError) in
            try writeSnapshotAndPrune { self.lifecycle.withLock { $0 == .closed } }
        }
    }

    /// The error of a task; nil if it ended because the store is being closed.
    private func failure(of task: () throws(DaybookError) -> Void) -> DaybookError? {
        do throws(DaybookError) {
            try task()
            return nil
        } catch {
            return error.code == .interrupted ? nil : error
        }
    }

    /// Keeps the error of a close that no caller receives.
    package func keepMaintenanceFailure(_ failure: DaybookError) {
        trees.withLock { $0.maintenanceFailure = failure }
    }

    /// The error of the last background task, if it failed. No data is lost: the task is retried,
    /// and until then opening replays more. The compression of a damaged segment is retried after
    /// the next opening only; the error names the segment. If no task failed, names the objects
    /// that indexes lack because their rows cannot be read.
    package var maintenanceFailure: DaybookError? {
        trees.withLock { $0.maintenanceFailure ?? $0.removalFailure } ?? unreadObjects
    }
}

/// A running timer. Releasing it stops the timer.
// SENDABLE: the timer is set up before it is passed here. Afterwards it is only cancelled, which
// Dispatch allows from any thread.
final class TimerBox: @unchecked Sendable {
    private let timer: any DispatchSourceTimer

    init(_ timer: any DispatchSourceTimer) { self.timer = timer }
    deinit { timer.cancel() }
}
