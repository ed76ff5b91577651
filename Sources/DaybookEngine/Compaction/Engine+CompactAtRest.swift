import DaybookBytes
import DaybookLog
import Dispatch

// A store at rest is compressed whatever its size: after some idle seconds, and when it is closed.

extension Engine {
    /// The minimum length of raw frames that are worth a compaction.
    static let rawBytesMin = 64 << 10
    /// The compressed part of the log may be this many times as long as the raw part before the raw
    /// part is compressed. The log is then at most 1.125 times as long as after a compaction. A
    /// compaction makes the log longer by a fixed ratio, so the number of segments that are
    /// written grows with the logarithm of the log.
    private static let compressedPerRaw = 8

    /// Called after each commit. Looks at the log once no commit was made for
    /// ``EngineOptions/idleMillisecondsBeforeCompression``. An idle store has no timer.
    func compressWhenIdle() {
        guard options.isMaintenanceAutomatic else { return }
        let isFirst = trees.withLock { state in
            defer { state.isIdleCheckScheduled = true }
            return !state.isIdleCheckScheduled
        }
        if isFirst { scheduleIdleCheck(after: log.lastSequence) }
    }

    private func scheduleIdleCheck(after sequence: UInt64) {
        let delay = DispatchTimeInterval.milliseconds(options.idleMillisecondsBeforeCompression)
        maintenance.asyncAfter(deadline: .now() + delay) { [weak self] in
            guard let self, isOpen else { return }
            let last = log.lastSequence
            if last != sequence { return scheduleIdleCheck(after: last) }
            trees.withLock { $0.isIdleCheckScheduled = false }
            resumeErasures()
            compressRawFrames(because: .idle)
        }
    }

    /// Compresses the frames at the end of the log that are not compressed yet, if they are a
    /// noticeable part of it. An error is kept in ``maintenanceFailure``: no data is lost. The
    /// method tries again when the part is twice as long.
    func compressRawFrames(because cause: StoreEvent.CompactionCause) {
        guard options.isMaintenanceAutomatic, !log.isReadOnly, log.durability?.failure == nil,
            options.shipping.map({ $0.shippedSequence >= log.lastSequence }) ?? true
        else { return }
        // A running compaction compresses the log, too, and a call of close() ends it.
        _ = compaction.withLockIfAvailable { _ in
            let rawBytes = rawBytesWorthCompressing(log.entries)
            let failedBytes = trees.withLock { $0.rawBytesOfFailedCompression }
            guard rawBytes > 2 * failedBytes else { return }
            var failure: DaybookError?
            do throws(DaybookError) { try compactTail(because: cause) } catch { failure = error }
            let isClosing = failure?.code == .interrupted || failure?.code == .closed
            trees.withLock { state in
                state.rawBytesOfFailedCompression = failure == nil || isClosing ? 0 : rawBytes
                guard !isClosing, failure != nil || failedBytes > 0 else { return }
                state.maintenanceFailure = failure
            }
            if !isClosing { events?.postFailure(failure, of: .idleCompression) }
        }
    }

    /// Seals the active segment and compresses the segments at the end of the log that are not
    /// compressed yet. Rewrites the compressed segments before them, too, as long as each is at
    /// most as long as all after it and the sum is at most the size of a segment: so the lengths of
    /// small segments grow like a geometric sequence, there are few, and the cost is bounded. The
    /// caller holds ``compaction``.
    private func compactTail(
        because cause: StoreEvent.CompactionCause
    ) throws(DaybookError) {
        defer { publication.tell() }
        let signpost = Signpost("compaction")
        defer { signpost.end() }
        let began = events?.now
        try sealActiveSegment()
        let sealed = compactible(log.manifest.sealed)
        let damaged = trees.withLock { $0.unreadableSegments }
        var start = sealed.count - rawTail(of: sealed).count
        var lengthBytes = sealed[start...].reduce(0) { $0 + $1.length }
        while start > 0, case let before = sealed[start - 1], before.isBlocked,
            damaged[before.number] == nil, before.length <= lengthBytes,
            before.length + lengthBytes <= options.log.segmentSizeBytes
        {
            start -= 1
            lengthBytes += before.length
        }
        let inputs = Array(sealed[start...])
        var report = CompactionReport(policy: .all)
        report.bytesBefore = log.lengthBytes
        let control = OperationControl(isCancelled: { self.lifecycle.withLock { $0 == .closed } })
        do throws(DaybookError) {
            _ = try compact(inputs, &report, control)
            report.bytesAfter = log.lengthBytes
            report.historyFloor = log.manifest.historyFloor
            note(report, cause, .since(began))
        } catch {
            if error.isUnreadableRow, let number = error.segment(among: inputs) {
                trees.withLock { $0.unreadableSegments[number] = error }
            }
            throw error
        }
    }

    /// The last segments that are not compressed, without damaged ones and those before them.
    private func rawTail(of entries: [SegmentEntry]) -> ArraySlice<SegmentEntry> {
        let damaged = trees.withLock { $0.unreadableSegments }
        let last = entries.lastIndex { $0.isBlocked || damaged[$0.number] != nil }
        return entries[(last.map { $0 + 1 } ?? 0)...]
    }

    /// The length of the frames at the end of the log that are not compressed; 0 if it is too short
    /// for a compaction.
    private func rawBytesWorthCompressing(_ entries: [SegmentEntry]) -> Int {
        let rawBytes = rawTail(of: entries).reduce(0) { $0 + $1.length }
        let compressedBytes = entries.reduce(0) { $0 + ($1.isBlocked ? $1.length : 0) }
        let bytesMin = max(Self.rawBytesMin, compressedBytes / Self.compressedPerRaw)
        return rawBytes >= bytesMin ? rawBytes : 0
    }
}
