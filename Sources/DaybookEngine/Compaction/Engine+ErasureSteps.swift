import DaybookBytes
import DaybookLog
import DaybookRecords

/// The records of a segment that an erasure changes.
struct ErasureCount {
    var segment: UInt64
    var versions = 0
    var links = 0

    var isEmpty: Bool { versions == 0 && links == 0 }
}

extension ErasureReport {
    /// Adds a segment that is rewritten.
    mutating func add(_ count: ErasureCount) {
        versionCount += count.versions
        linkChangeCount += count.links
        segmentCount += 1
    }
}

extension Engine {
    /// Passes the number of records that the stage changes to `found`, for each segment with such
    /// records. Cost: a read of the segments.
    func survey(
        _ entries: [SegmentEntry], _ filter: ErasureFilter, _ stage: ErasureFilter.Stage,
        _ control: OperationControl, _ found: (ErasureCount) -> Void
    ) throws(DaybookError) {
        guard !filter.isEmpty else { return }
        for (index, entry) in entries.enumerated() {
            control.progress(Double(index) / Double(entries.count))
            var count = ErasureCount(segment: entry.number)
            var scanner = try log.scan(entry)
            while let frame = try scanner.next() {
                try control.check()
                for (record, sequence) in try frame.records() {
                    let decision = filter.decision(record, of: sequence, in: stage)
                    guard decision != .keep else { continue }
                    _ = try change(record, decision, of: frame, &count)
                }
            }
            if !count.isEmpty { found(count) }
        }
    }

    /// Rewrites consecutive segments with the changes of a stage, and installs the result.
    func rewrite(
        _ inputs: [SegmentEntry], _ filter: ErasureFilter, _ stage: ErasureFilter.Stage,
        _ report: inout ErasureReport, _ control: OperationControl
    ) throws(DaybookError) {
        let space = slot.current
        let bytes = inputs.reduce(0) { $0 + $1.length }
        // A segment more for the rounding at each end.
        let numbers = try log.takeSegmentNumbers(
            inputs.count + bytes / max(1, options.log.segmentSizeBytes) + 2)
        var blocks = SealedSegmentWriter(log, options, numbers: numbers)
        do throws(DaybookError) {
            try fill(&blocks, inputs, filter, stage, &report, control)
            let written = blocks.finished.reduce(0) { $0 + $1.entry.length }
            trees.withLock { $0.written.compaction += written }
        } catch {
            log.discardUnnamed(numbers)
            if error.isDamagedSnapshot { try rebuildAndBeginAnew(space) }
            throw error
        }
        try install(blocks, in: inputs, [], historyFloor: log.manifest.historyFloor, space)
        report.heldBytes += inputs.reduce(0) { $0 + (log.isInUse($1.number) ? $1.length : 0) }
    }

    private func fill(
        _ blocks: inout SealedSegmentWriter, _ inputs: [SegmentEntry], _ filter: ErasureFilter,
        _ stage: ErasureFilter.Stage, _ report: inout ErasureReport, _ control: OperationControl
    ) throws(DaybookError) {
        // A longer pin would retain the segments that the step replaces.
        let newest = try pinNewest(including: inputs.last?.lastSequence ?? 0)
        for entry in inputs {
            var count = ErasureCount(segment: entry.number)
            var scanner = try log.scan(entry)
            while let frame = try scanner.next() {
                try control.check()
                for (record, sequence) in try frame.records() {
                    let indexedAt = try newest.indexedLocation(of: record, sequence)
                    let decision = filter.decision(record, of: sequence, in: stage)
                    switch try change(record, decision, of: frame, &count) {
                    case .copy:
                        try blocks.append(record, of: sequence, in: frame, indexedAt: indexedAt)
                    case .drop: break
                    case .write(let write):
                        try blocks.append(
                            inPlaceOf: record, of: sequence, in: frame, indexedAt: indexedAt, write)
                    }
                }
            }
            // The other stages rewrite the commit of the erasure only.
            if stage == .versions { report.add(count) }
        }
        try blocks.finish()
    }

    /// The effect of a decision on a record.
    private enum Change {
        case copy, drop
        case write((inout RecordWriter) -> Void)
    }

    private func change(
        _ record: Record, _ decision: ErasureFilter.Decision, of frame: LogScanner.Frame,
        _ count: inout ErasureCount
    ) throws(DaybookError) -> Change {
        switch decision {
        case .keep: return .copy
        case .drop:
            if record.kind.isOfObject { count.versions += 1 } else { count.links += 1 }
            return .drop
        case .separate:
            guard record.previous > 0 else { return .copy }
            return .write { $0.remove(entity: record.entity, id: record.id, previous: 0) }
        case .clear(let properties):
            let row = frame.payload.span.extracting(record.row).array
            let cleared = try schemas.rowLayout(record.layout).clearing(row.span, properties)
            guard cleared != row else { return .copy }
            count.versions += 1
            return .write {
                $0.put(
                    entity: record.entity, id: record.id, previous: record.previous,
                    layout: record.layout, row: cleared.span)
            }
        case .finish:
            let erased = try ErasedRecord(decoding: frame.payload.span.extracting(record.body))
            guard !erased.isFinished else { return .copy }
            return .write { $0.erased(erased.finished) }
        }
    }
}

extension ReadView {
    /// The location in the index entry of an object if the entry is that of this version, or of a
    /// later copy of it; nil for other records.
    fileprivate func indexedLocation(
        of record: Record, _ sequence: UInt64
    ) throws(DaybookError) -> UInt64? {
        guard record.kind == .put || record.kind == .remove else { return nil }
        let entry = try withTrees { trees throws(DaybookError) in
            try trees.get(IndexTree.objects(of: record.entity), record.id).map { ObjectEntry($0) }
        }
        return entry.flatMap { sequence >= $0.sequence ? $0.location : nil }
    }
}
