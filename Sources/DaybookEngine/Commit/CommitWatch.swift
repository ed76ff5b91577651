import DaybookLog

/// Measures the parts of one commit for the observers of a store. Without observers it reads no
/// clock.
struct CommitWatch: Sendable {
    private let events: EventDelivery?
    private var last: ContinuousClock.Instant?
    private var timing = StoreEvent.CommitTiming()

    /// Begins with the wait for other writers.
    init(_ events: EventDelivery?) {
        self.events = events
        last = events?.now
    }

    /// The thread has the writer lock.
    mutating func locked() {
        guard let events else { return }
        timing.lockWait = lap()
        if events.isSlow(timing.lockWait, events.limits.lockWait) {
            events.post(.slowLockWait(timing.lockWait))
        }
    }

    /// The program's block has returned.
    mutating func ran() {
        guard events != nil else { return }
        timing.block = lap()
    }

    /// The commit was appended and applied to the indexes.
    mutating func wrote(_ batch: CommitBatch, _ frames: AppendedFrames) {
        guard events != nil else { return }
        timing.writing = lap()
        timing.sequence = batch.sequence
        timing.recordCount = batch.payloads.reduce(0) { $0 + Int($1.recordCount) }
        timing.lengthBytes = frames.end.offset - (frames.offsets.first ?? frames.end.offset)
    }

    /// The commit is visible and as durable as the options require. Does nothing for a transaction
    /// that changed nothing.
    mutating func becameVisible() {
        guard let events, timing.sequence > 0 else { return }
        timing.syncWait = lap()
        events.post(.committed(timing))
        if events.isSlow(timing.duration, events.limits.commit) { events.post(.slowCommit(timing)) }
    }

    private mutating func lap() -> Duration {
        let now = ContinuousClock.now
        defer { last = now }
        return last?.duration(to: now) ?? .zero
    }
}
