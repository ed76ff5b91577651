package import DaybookBytes
import DaybookLog

extension Engine {
    /// Compacts as ``compact(_:sealsActive:_:)`` does, and keeps all changes that a consumer has
    /// not acknowledged. The report names the consumers for which more history was kept than
    /// `policy` asks for.
    ///
    /// Throws the errors of ``compact(_:sealsActive:_:)``, and `.corruption` for a damaged position
    /// of a consumer.
    package func compactForConsumers(
        _ policy: HistoryPolicy, sealsActive: Bool = false,
        _ control: OperationControl = OperationControl()
    ) throws(DaybookError) -> CompactionReport {
        let limited = try limitedByConsumers(policy)
        var report = try compact(limited.policy, sealsActive: sealsActive, control)
        report.retainingConsumers = limited.consumers
        return report
    }

    /// Plans as ``planCompaction(_:_:)`` does, with the history that a compaction for consumers
    /// keeps.
    package func planCompactionForConsumers(
        _ policy: HistoryPolicy, _ control: OperationControl = OperationControl()
    ) throws(DaybookError) -> CompactionReport {
        let limited = try limitedByConsumers(policy)
        var report = try planCompaction(limited.policy, control)
        report.retainingConsumers = limited.consumers
        return report
    }

    /// A policy that keeps what the consumers have not acknowledged, and the consumers that need
    /// more than `policy` keeps.
    ///
    /// While there are consumers, `.latest` becomes a policy with a fixed sequence. Otherwise,
    /// commits that are made during the compaction would raise the floor above the positions.
    private func limitedByConsumers(
        _ policy: HistoryPolicy
    ) throws(DaybookError) -> (policy: HistoryPolicy, consumers: [String]) {
        let wanted: UInt64
        switch policy {
        case .all: return (policy, [])
        case .since(let sequence): wanted = sequence
        case .latest: wanted = readableSequence
        }
        let positions = try ConsumerStore(self).sequences()
        guard let oldest = positions.values.min() else { return (policy, []) }
        let retaining = positions.filter { $0.value < wanted }.keys.sorted()
        return (.since(min(wanted, oldest)), retaining)
    }

    /// Drops the history that is older than ``EngineOptions/retentionMilliseconds``, if that is
    /// half of the log. So a byte of history is rewritten a bounded number of times, and the log is
    /// at most about twice as long as what it must contain.
    func dropExpiredHistory() throws(DaybookError) {
        guard let age = options.retentionMilliseconds else { return }
        let latest = WallClock.microsecondsSinceEpoch() - Int64(age) * 1000
        let expired = try last(atOrBefore: .time(first: latest, last: latest), OperationControl())
        let policy = try limitedByConsumers(.since(expired)).policy
        guard case .since(let floor) = policy, floor > historyFloor else { return }
        let sealed = log.manifest.sealed
        let totalBytes = sealed.reduce(0) { $0 + $1.length }
        let expiredBytes = sealed.reduce(0) { bytes, segment in
            let isExpired = segment.lastSequence <= floor && segment.lastSequence > historyFloor
            return bytes + (isExpired ? segment.length : 0)
        }
        guard expiredBytes > 0, expiredBytes * 2 >= totalBytes else { return }
        _ = try compact(policy)
    }
}
