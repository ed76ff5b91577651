import DaybookBytes
import DaybookRecords
import DaybookLog
import DaybookPages

/// Decides for each frame of a sealed segment which records a compaction keeps.
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
    }

    /// Keeps every record above this sequence. Of the records up to it, keeps those of the state at
    /// this sequence. 0 keeps all records.
    let floor: UInt64
    /// The state at the floor.
    let past: ReadView
    /// The newest state, which contains the entries that must follow their records.
    let newest: ReadView
    /// The last commit record is always kept: it is the end of the log.
    let lastSequence: UInt64
    /// Whether a record of the current transaction is kept.
    private var keepsTransaction = false
    /// The links that are kept, in trees like those of the indexes: of a link that was added,
    /// removed and added again, one record is enough. Memory: at least 16 bytes for each link.
    private let links = PageSpace()

    init(floor: UInt64, past: ReadView, newest: ReadView, lastSequence: UInt64) {
        self.floor = floor
        self.past = past
        self.newest = newest
        self.lastSequence = lastSequence
        links.begin(sequence: 1)
    }

    /// Decides about all records of a frame.
    mutating func decide(_ frame: LogScanner.Frame) throws(DaybookError) -> Verdict {
        var verdict = Verdict()
        let records = try frame.records()
        verdict.recordCount = records.count
        for (record, sequence) in records {
            let isRecent = sequence > floor
            switch record.kind {
            case .put, .remove:
                let indexedAt = try location(of: record, sequence, in: newest)
                let isKept = isRecent ? true : try isVersionOfState(record, sequence)
                if isKept {
                    keep(record, sequence, indexedAt, &verdict)
                } else if let indexedAt {
                    verdict.forgotten.append((record.entity, record.id, indexedAt))
                }
            case .link, .listInsert:
                // A link that was removed is dropped, and its removal too: a compaction that drops
                // records rewrites all sealed segments together.
                let isKept = isRecent ? true : try isLinkOfState(record, frame)
                if isKept {
                    keep(record, sequence, nil, &verdict)
                }
            case .unlink, .listRemove:
                if isRecent { keep(record, sequence, nil, &verdict) }
            case .event, .schema, .compacted:
                keep(record, sequence, nil, &verdict)
            case .commit:
                if isRecent || keepsTransaction || sequence == lastSequence {
                    keep(record, sequence, nil, &verdict)
                }
                keepsTransaction = false
            }
        }
        return verdict
    }

    /// The location in an object's index entry, if this record is the last one of the object. A
    /// transaction has one record of an object, so the sequence decides. The location must not:
    /// after a compaction that no manifest names, the entries point to the copies, and the
    /// originals would count as superseded.
    private func location(
        of record: Record, _ sequence: UInt64, in view: ReadView
    ) throws(DaybookError) -> UInt64? {
        let value = try view.withTrees { trees throws(DaybookError) in
            try trees.get(IndexTree.objects(of: record.entity), record.id)
        }
        guard let value else { return nil }
        let entry = ObjectEntry(value)
        return sequence >= entry.sequence ? entry.location : nil
    }

    /// Whether a record is the version of a living object in the state at the floor.
    private func isVersionOfState(
        _ record: Record, _ sequence: UInt64
    ) throws(DaybookError) -> Bool {
        guard record.kind == .put else { return false }
        return try location(of: record, sequence, in: past) != nil
    }

    /// Whether the link of a record exists in the state at the floor, and no earlier record that is
    /// kept adds it.
    private func isLinkOfState(
        _ record: Record, _ frame: LogScanner.Frame
    ) throws(DaybookError) -> Bool {
        guard record.kind == .listInsert else {
            let tree = IndexTree.links(of: record.relation)
            let isLinked = try past.withTrees { trees throws(DaybookError) in
                try trees.contains(tree, record.source, record.target)
            }
            guard isLinked else { return false }
            return try links.insert(tree, record.source, record.target)
        }
        let entry = ListEntry(record, in: frame.payload.span)
        let tree = IndexTree.list(of: record.relation)
        let target = try past.withTrees { trees throws(DaybookError) in
            try trees.get(tree, bytes: entry.forwardKey.span)
        }
        guard target == record.target else { return false }
        return try links.put(tree, bytes: entry.forwardKey.span, record.target) == nil
    }

    private mutating func keep(
        _ record: Record, _ sequence: UInt64, _ indexedAt: UInt64?, _ verdict: inout Verdict
    ) {
        keepsTransaction = true
        verdict.kept.append(Kept(record: record, sequence: sequence, indexedAt: indexedAt))
    }
}
