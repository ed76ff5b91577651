package import DaybookBytes
package import DaybookEngine
import DaybookLog
import DaybookPages
import DaybookRecords

extension Engine {
    /// Measures which records of the log the newest state needs. Cost: one pass over the log, and a
    /// lookup in the indexes for each record. Memory: a frame, and 16 bytes for each link that was
    /// removed and exists again. Throws `.inputOutput`, `.interrupted`, `.corruption`, `.closed`.
    package func logContents(
        _ control: OperationControl = OperationControl()
    ) throws(DaybookError) -> LogContents {
        // The view also keeps the files of the segments that a compaction replaces meanwhile.
        let newest = try view(until: nil)
        let entries = log.entries
        let totalBytes = entries.reduce(0) { $0 + $1.length }
        var doneBytes = 0
        var measurement = LogMeasurement(sequence: try newest.sequence)
        for entry in entries {
            measurement.contents.segments.append(LogContents.Segment(number: entry.number))
            var scanner = try log.scan(entry)
            while let frame = try scanner.next() {
                try control.check()
                try newest.withTrees { trees throws(DaybookError) in
                    try measurement.add(frame, trees)
                }
                control.progress(Double(doneBytes + frame.end) / Double(max(1, totalBytes)))
            }
            doneBytes += entry.length
        }
        control.progress(1)
        return measurement.contents
    }
}

/// Adds up the records of the log, in the order of the log.
private struct LogMeasurement {
    private enum Use {
        case live, superseded, removed, other
    }

    var contents: LogContents
    /// The links whose record is counted as live, although a removal of them comes later: they
    /// exist again. A compaction keeps their first record too.
    private let countedLinks = PageSpace()
    /// The notes of the current transaction, whose commit record has its time.
    private var notes: [CompactedRecord] = []

    init(sequence: UInt64) {
        contents = LogContents(sequence: sequence)
        countedLinks.begin(sequence: 1)
    }

    /// Adds a frame of the last segment. `newest` is the newest state.
    mutating func add(
        _ frame: LogScanner.Frame, _ newest: PageReader
    ) throws(DaybookError) {
        var bytes = LogContents.Bytes()
        for (record, sequence) in try frame.records() {
            let length = record.end - record.offset
            switch try use(of: record, sequence, frame, newest) {
            case .live: bytes.live += length
            case .superseded: bytes.superseded += length
            case .removed: bytes.removed += length
            case .other: bytes.other += length
            }
        }
        contents.segments[contents.segments.count - 1].bytes += bytes
    }

    private mutating func use(
        of record: Record, _ sequence: UInt64, _ frame: LogScanner.Frame, _ newest: PageReader
    ) throws(DaybookError) -> Use {
        switch record.kind {
        case .schema, .erased: return .other
        case .compacted:
            notes.append(
                try CompactedRecord(decoding: frame.payload.span.extracting(record.body)))
            return .other
        case .commit:
            try noteCommit(record, frame)
            return .other
        case .event: return .live
        default: break
        }
        guard sequence <= contents.sequence else { return .live }
        switch record.kind {
        case .put, .remove: return try version(record, sequence, newest)
        case .listInsert, .listRemove: return try listEntry(record, frame, newest)
        default: return try link(record, newest)
        }
    }

    private func version(
        _ record: Record, _ sequence: UInt64, _ newest: PageReader
    ) throws(DaybookError) -> Use {
        let tree = IndexTree.objects(of: record.entity)
        guard let value = try newest.get(tree, record.id) else { return .removed }
        let entry = ObjectEntry(value)
        if entry.isRemoved { return .removed }
        return sequence < entry.sequence ? .superseded : .live
    }

    private mutating func link(
        _ record: Record, _ newest: PageReader
    ) throws(DaybookError) -> Use {
        let tree = IndexTree.links(of: record.relation)
        let (source, target) = (record.source, record.target)
        guard try newest.contains(tree, source, target) else { return .removed }
        if record.kind == .unlink {
            _ = try countedLinks.insert(tree, source, target)
            return .superseded
        }
        return try countedLinks.working.contains(tree, source, target) ? .superseded : .live
    }

    private mutating func listEntry(
        _ record: Record, _ frame: LogScanner.Frame, _ newest: PageReader
    ) throws(DaybookError) -> Use {
        let tree = IndexTree.list(of: record.relation)
        let key = ListEntry(record, in: frame.payload.span).forwardKey
        guard try newest.get(tree, bytes: key.span) == record.target else { return .removed }
        if record.kind == .listRemove {
            _ = try countedLinks.put(tree, bytes: key.span, record.target)
            return .superseded
        }
        return try countedLinks.working.get(tree, bytes: key.span) == nil ? .live : .superseded
    }

    private mutating func noteCommit(
        _ record: Record, _ frame: LogScanner.Frame
    ) throws(DaybookError) {
        guard !notes.isEmpty else { return }
        let commit = try CommitRecord(decoding: frame.payload.span.extracting(record.body))
        for note in notes {
            contents.compactions.append(
                LogContents.Compaction(
                    sequence: commit.sequence, microseconds: commit.timeMicroseconds,
                    policy: LogContents.Compaction.Policy(note.policy),
                    historyFloor: note.historyFloor))
        }
        notes = []
    }
}

extension LogContents.Compaction.Policy {
    fileprivate init(_ policy: CompactedRecord.Policy) {
        switch policy {
        case .all: self = .everything
        case .since: self = .since
        case .latest: self = .latest
        case .versions: self = .versions
        }
    }
}
