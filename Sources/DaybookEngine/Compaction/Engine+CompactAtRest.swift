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
            compressRawFrames()
        }
    }

    /// Compresses the frames at the end of the log that are not compressed yet, if they are a
    /// noticeable part of it. An error is kept in ``maintenanceFailure``: no data is lost. The
    /// method tries again when the part is twice as long.
    func compressRawFrames() {
        guard options.isMaintenanceAutomatic, !log.isReadOnly, log.durability?.failure == nil else {
            return
        }
        compaction.withLock { _ in
            let rawBytes = rawBytesWorthCompressing(log.entries)
            let failedBytes = trees.withLock { $0.rawBytesOfFailedCompression }
            guard rawBytes > 2 * failedBytes else { return }
            var failure: DaybookError?
            do throws(DaybookError) { try compactTail() } catch { failure = error }
            let isClosing = failure?.code == .interrupted || failure?.code == .closed
            trees.withLock { state in
                state.rawBytesOfFailedCompression = failure == nil || isClosing ? 0 : rawBytes
                if let failure, !isClosing { state.maintenanceFailure = failure }
            }
        }
    }

    /// The length of the frames at the end of the log that are not compressed; 0 if it is too short
    /// for a compaction.
    private func rawBytesWorthCompressing(_ entries: [SegmentEntry]) -> Int {
        let rawBytes = entries.reversed().prefix { !$0.isBlocked }.reduce(0) { $0 + $1.length }
        let compressedBytes = entries.reduce(0) { $0 + ($1.isBlocked ? $1.length : 0) }
        let bytesMin = max(Self.rawBytesMin, compressedBytes / Self.compressedPerRaw)
        return rawBytes >= bytesMin ? rawBytes : 0
    }
}
