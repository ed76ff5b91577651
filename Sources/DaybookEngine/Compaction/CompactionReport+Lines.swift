import DaybookLog

extension CompactionReport.SegmentReport {
    init(_ entry: SegmentEntry) {
        self.init(
            number: entry.number, firstSequence: entry.firstSequence,
            lastSequence: entry.lastSequence, lengthBytes: entry.length, rawBytes: entry.rawBytes,
            recordCount: 0, keptRecordCount: 0, keptRawBytes: 0, reason: "")
    }

    mutating func add(_ verdict: LiveRecordFilter.Verdict) {
        recordCount += verdict.recordCount
        keptRecordCount += verdict.kept.count
        keptRawBytes += verdict.kept.reduce(0) { $0 + $1.record.end - $1.record.offset }
    }

    mutating func explain(_ policy: HistoryPolicy, _ entry: SegmentEntry) {
        switch policy {
        case .all where entry.isBlocked:
            reason = "already in compressed blocks; all history is kept"
        case .all:
            reason = "all history is kept; payloads are gathered into compressed blocks"
        case .since(let floor) where entry.firstSequence > floor:
            reason = "all history after sequence \(floor) is kept"
        case .since(let floor):
            reason =
                "the state at sequence \(floor) and all history after it are kept;"
                + " \(recordCount - keptRecordCount) superseded records are dropped"
        case .latest where keptRecordCount == recordCount:
            reason = "every record is the last version of a living object, a schema or a commit"
        case .latest:
            reason =
                "last versions of living objects, schemas, links and their commits are kept;"
                + " \(recordCount - keptRecordCount) superseded records are dropped"
        }
    }
}
