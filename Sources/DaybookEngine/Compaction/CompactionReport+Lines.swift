import DaybookLog

extension CompactionReport.SegmentReport {
    init(_ entry: SegmentEntry) {
        self.init(
            number: entry.number, firstSequence: entry.firstSequence,
            lastSequence: entry.lastSequence, lengthBytes: entry.length, rawBytes: entry.rawBytes,
            recordCount: 0, keptRecordCount: 0, keptRawBytes: 0, droppedTombstoneCount: 0,
            keptTombstoneCount: 0, droppedEventCount: 0, reason: "")
    }

    mutating func add(_ verdict: LiveRecordFilter.Verdict) {
        recordCount += verdict.recordCount
        keptRecordCount += verdict.kept.count
        keptRawBytes += verdict.kept.reduce(0) { $0 + $1.record.end - $1.record.offset }
        keptTombstoneCount += verdict.keptTombstoneCount
        droppedTombstoneCount += verdict.droppedTombstoneCount
        droppedEventCount += verdict.droppedEventCount
    }

    mutating func explain(_ policy: HistoryPolicy, floor: UInt64, _ entry: SegmentEntry) {
        guard policy.dropsHistory else {
            reason =
                entry.isBlocked
                ? "already in compressed blocks; all history is kept"
                : "all history is kept; payloads are gathered into compressed blocks"
            return
        }
        guard entry.firstSequence <= floor else {
            return reason = "all history after sequence \(floor) is kept"
        }
        guard policy.entities.isEmpty else {
            reason =
                "the versions, events and links that the rules of the entities keep, schemas and"
                + " the commits of these records are kept"
            return explainRest()
        }
        let commits = "schemas, events, links and their commits are kept"
        switch (policy.rule.floor, policy.rule.versionCount) {
        case (HistoryRule.newest, 1): reason = "last versions of living objects, \(commits)"
        case (HistoryRule.newest, let count):
            reason = "the newest \(count) versions of objects, \(commits)"
        case (let floor, 1):
            reason = "the state at sequence \(floor), events and all history after it are kept"
        case (let floor, let count):
            reason =
                "the newest \(count) versions of objects at sequence \(floor), events and all"
                + " history after it are kept"
        }
        explainRest()
    }

    /// Adds the numbers of dropped records, tombstones and events to the reason.
    private mutating func explainRest() {
        if keptTombstoneCount > 0 {
            reason += "; \(keptTombstoneCount) removals are kept as versions of their objects"
        }
        let droppedCount = recordCount - keptRecordCount
        guard droppedCount > 0 else { return reason += "; every record is needed" }
        let otherCount = droppedCount - droppedEventCount
        switch (droppedEventCount, otherCount) {
        case (0, _): reason += "; \(otherCount) superseded records are dropped"
        case (_, 0): reason += "; \(droppedEventCount) events are dropped"
        default:
            reason += "; \(droppedEventCount) events and \(otherCount) other records are dropped"
        }
        if droppedTombstoneCount > 0 {
            reason += ", \(droppedTombstoneCount) of them removals without older versions"
        }
    }
}
