import DaybookBytes
import DaybookRecords
import DaybookLog
import DaybookPages

/// Decides which records of a sealed segment outlive a compaction, frame by frame.
struct LiveRecordFilter {
    /// A record that stays, and the transaction that it belongs to.
    struct Kept {
        var record: Record
        var sequence: UInt64
        /// What the entry of its object says, which has to follow it to its new place; nil for a
        /// record that no entry stands for.
        var indexedAt: UInt64?
    }

    /// What one frame comes to.
    struct Verdict {
        var kept: [Kept] = []
        /// Tombstones that hide nothing any more.
        var forgotten: [(entity: UInt32, id: UInt64, location: UInt64)] = []
        var recordCount = 0
    }

    let policy: HistoryPolicy
    /// The last commit record always stays: it says how far the log goes.
    let lastSequence: UInt64
    /// Whether the transaction under way has a record that stays.
    private var keepsTransaction = false
    /// The links that stay, in trees like those of the indexes: of a link that was made, undone and
    /// made again one record is enough. Memory: 16 bytes and more a link.
    private let links = PageSpace()

    init(policy: HistoryPolicy, lastSequence: UInt64) {
        self.policy = policy
        self.lastSequence = lastSequence
        links.begin(sequence: 1)
    }

    /// Looks at all records of a frame, against the indexes of `reader`.
    mutating func sift(
        _ frame: LogScanner.Frame, _ reader: PageReader
    ) throws(DaybookError) -> Verdict {
        var verdict = Verdict()
        let records = try frame.records()
        verdict.recordCount = records.count
        for (record, sequence) in records {
            switch record.kind {
            case .put, .remove:
                let indexedAt = try indexed(record, sequence, reader)
                if policy == .all || (indexedAt != nil && record.kind == .put) {
                    keep(record, sequence, indexedAt, &verdict)
                } else if let indexedAt {
                    verdict.forgotten.append((record.entity, record.id, indexedAt))
                }
            case .link, .listInsert:
                // One that was undone is not kept, and neither is what undid it: the sealed
                // segments are looked at together, and what comes after them changes nothing of
                // what they said.
                let stays = policy == .all ? true : try isNeeded(record, frame, reader)
                if stays { keep(record, sequence, nil, &verdict) }
            case .unlink, .listRemove:
                if policy == .all { keep(record, sequence, nil, &verdict) }
            case .event, .schema, .compacted:
                keep(record, sequence, nil, &verdict)
            case .commit:
                if policy == .all || keepsTransaction || sequence == lastSequence {
                    keep(record, sequence, nil, &verdict)
                }
                keepsTransaction = false
            }
        }
        return verdict
    }

    /// Where the entry of an object points, if this record is its last: a transaction has one
    /// record of an object, so the sequence decides. The place must not, for where a compaction
    /// could not be named, entries point to its copies, and the originals would be taken for
    /// superseded.
    private func indexed(
        _ record: Record, _ sequence: UInt64, _ reader: PageReader
    ) throws(DaybookError) -> UInt64? {
        guard let value = try reader.get(IndexTree.objects(of: record.entity), record.id) else {
            return nil
        }
        let entry = ObjectEntry(value)
        return sequence >= entry.sequence ? entry.location : nil
    }

    /// Whether the link that a record makes is there now, and no earlier record that stays makes
    /// it.
    private func isNeeded(
        _ record: Record, _ frame: LogScanner.Frame, _ reader: PageReader
    ) throws(DaybookError) -> Bool {
        guard record.kind == .listInsert else {
            let tree = IndexTree.links(of: record.relation)
            guard try reader.contains(tree, record.source, record.target) else { return false }
            return try links.insert(tree, record.source, record.target)
        }
        let entry = ListEntry(record, in: frame.payload.span)
        let tree = IndexTree.list(of: record.relation)
        guard try reader.get(tree, bytes: entry.forwardKey.span) == record.target else {
            return false
        }
        return try links.put(tree, bytes: entry.forwardKey.span, record.target) == nil
    }

    private mutating func keep(
        _ record: Record, _ sequence: UInt64, _ indexedAt: UInt64?, _ verdict: inout Verdict
    ) {
        keepsTransaction = true
        verdict.kept.append(Kept(record: record, sequence: sequence, indexedAt: indexedAt))
    }
}
