import DaybookBytes
import DaybookRecords
import DaybookLog
import DaybookPages

/// Decides for each frame of a sealed segment which records a compaction keeps. The frames must
/// come in the order of the log, so that no version that a dropped tombstone hid remains.
struct LiveRecordFilter {
    /// A record that is kept, and the sequence of its transaction.
    struct Kept {
        var record: Record
        var sequence: UInt64
        /// The location in the object's index entry, which must follow the record to its new
        /// location; nil for a record without an index entry.
        var indexedAt: UInt64?
    }

    /// The decision for one frame.
    struct Verdict {
        var kept: [Kept] = []
        /// Tombstones that are no longer needed, because no older version remains.
        var forgotten: [(entity: UInt32, id: UInt64, location: UInt64)] = []
        var recordCount = 0
        /// The number of tombstones that are kept, because they are versions that the rule keeps.
        var keptTombstoneCount = 0
        var droppedTombstoneCount = 0
        var droppedEventCount = 0
    }

    private(set) var survey: RecordSurvey
    /// The last commit record is always kept: it is the end of the log.
    let lastSequence: UInt64
    /// Whether a record of the current transaction is kept.
    private var keepsTransaction = false

    init(_ survey: RecordSurvey, lastSequence: UInt64) {
        self.survey = survey
        self.lastSequence = lastSequence
    }

    private var rules: RetentionRules { survey.rules }

    /// Prepares decisions with the state at `sequence`, which is not older than that of the survey.
    mutating func noteChanges(until sequence: UInt64, in log: Log) throws(DaybookError) {
        try survey.noteChanges(until: sequence, in: log)
    }

    /// Decides about all records of a frame. `newest` is the newest state, with the entries that
    /// must follow their records.
    mutating func decide(
        _ frame: LogScanner.Frame, _ newest: PageReader
    ) throws(DaybookError) -> Verdict {
        var verdict = Verdict()
        let records = try frame.records()
        verdict.recordCount = records.count
        for (record, sequence) in records {
            switch record.kind {
            case .put, .remove:
                let tree = IndexTree.objects(of: record.entity)
                let entry = try newest.get(tree, record.id).map { ObjectEntry($0) }
                let indexedAt = entry.flatMap { sequence >= $0.sequence ? $0.location : nil }
                if try keepsVersion(record, sequence, entry) {
                    if record.kind == .remove { verdict.keptTombstoneCount += 1 }
                    keep(record, sequence, indexedAt, &verdict)
                    continue
                }
                if record.kind == .remove { verdict.droppedTombstoneCount += 1 }
                if let indexedAt {
                    verdict.forgotten.append((record.entity, record.id, indexedAt))
                }
            case .link, .listInsert:
                // A link that was removed is dropped, and its removal too.
                let isRecent = sequence > rules.rule(ofLinks: record.relation).floor
                let isKept = isRecent ? true : try survey.takeLink(record, frame)
                if isKept { keep(record, sequence, nil, &verdict) }
            case .unlink, .listRemove:
                guard sequence > rules.rule(ofLinks: record.relation).floor else { continue }
                keep(record, sequence, nil, &verdict)
            case .event:
                // An event has no later version, so its age alone decides.
                guard sequence > rules.rule(ofEvents: record.entity).floor else {
                    verdict.droppedEventCount += 1
                    continue
                }
                keep(record, sequence, nil, &verdict)
            case .schema, .compacted, .erased:
                keep(record, sequence, nil, &verdict)
            case .commit:
                // The state at the floor keeps its sequence, whatever remains of its commit.
                let isRecent = sequence > rules.standard.floor || sequence == rules.floor
                if isRecent || keepsTransaction || sequence == lastSequence {
                    keep(record, sequence, nil, &verdict)
                }
                keepsTransaction = false
            }
        }
        return verdict
    }

    /// Whether a version is kept. `entry` is the newest index entry of its object.
    ///
    /// A transaction has one record of an object, so sequences decide. Locations must not: after a
    /// compaction that no manifest names, the entries point to the copies, and the originals would
    /// count as superseded.
    private func keepsVersion(
        _ record: Record, _ sequence: UInt64, _ entry: ObjectEntry?
    ) throws(DaybookError) -> Bool {
        let rule = rules.rule(of: record.entity)
        guard sequence <= rule.floor else { return true }
        guard let entry, let last = try survey.lastSequence(of: record, entry) else { return true }
        var rank = 1
        if sequence < last {
            guard survey.isCounted(rule) else { return false }
            guard let superseded = try survey.takeSuperseded(record) else { return true }
            rank = last <= rule.floor ? superseded + 1 : superseded
        }
        if rank == 1, rule.versionCount == 1, record.kind == .remove { return false }
        return rank <= rule.versionCount
    }

    private mutating func keep(
        _ record: Record, _ sequence: UInt64, _ indexedAt: UInt64?, _ verdict: inout Verdict
    ) {
        keepsTransaction = true
        verdict.kept.append(Kept(record: record, sequence: sequence, indexedAt: indexedAt))
    }
}
