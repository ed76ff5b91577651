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
    /// While there are consumers, the floors are fixed sequences. Otherwise, commits that are made
    /// during the compaction would raise them above the positions.
    private func limitedByConsumers(
        _ policy: HistoryPolicy
    ) throws(DaybookError) -> (policy: HistoryPolicy, consumers: [String]) {
        guard policy.dropsHistory else { return (policy, []) }
        let wanted = min(policy.floor, readableSequence)
        let positions = try ConsumerStore(self).sequences()
        guard let oldest = positions.values.min() else { return (policy, []) }
        let retaining = positions.filter { $0.value < wanted }.keys.sorted()
        return (policy.keeping(after: min(wanted, oldest)), retaining)
    }

    /// Drops the history that ``EngineOptions/retention`` does not ask for, if the segments that
    /// were sealed since the last time are half of the log. So a byte is rewritten a bounded number
    /// of times, and the log is at most about twice as long as what it must contain.
    func dropExpiredHistory() throws(DaybookError) {
        guard !options.retention.keepsEverything, !isFollowing else { return }
        let known = schemas.schema
        var requests = options.retention
        // The program may declare an entity later.
        requests.entities = requests.entities.filter { known.entity(named: $0.key) != nil }
        let policy = try limitedByConsumers(try policy(for: requests)).policy
        let newest = readableSequence
        // A compaction that had nothing to drop did not raise the history floor.
        let done = trees.withLock { max(historyFloor, $0.retainedSequence) }
        guard policy.floor > done else { return }
        let sealed = log.manifest.sealed
        let totalBytes = sealed.reduce(0) { $0 + $1.length }
        let expiredBytes = sealed.reduce(0) { bytes, segment in
            let isExpired = segment.lastSequence <= policy.floor && segment.lastSequence > done
            return bytes + (isExpired ? segment.length : 0)
        }
        guard expiredBytes > 0, expiredBytes * 2 >= totalBytes else { return }
        _ = try compact(policy, because: .retention)
        trees.withLock { $0.retainedSequence = min(policy.floor, newest) }
    }
}
