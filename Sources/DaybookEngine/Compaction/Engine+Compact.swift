package import DaybookBytes
import DaybookRecords
import DaybookLog
import DaybookPages

extension Engine {
    /// Rewrites sealed segments while readers and writers continue. Only one compaction runs at a
    /// time.
    ///
    /// `.all` gathers the payloads of segments that are not compressed yet. `.latest` also drops
    /// every version except the last. `sealsActive` first seals the active segment; `.latest`
    /// always does. The sealing remains, even after an error.
    ///
    /// Order: new segments, durable and read back → a record in the log → entries moved → snapshot
    /// → manifest, which is the commit point → old files unlinked. A crash or an interruption
    /// before the manifest leaves the history unchanged. Throws `.interrupted` if `isCancelled`
    /// returns true or the store is closed.
    package func compact(
        _ policy: HistoryPolicy, sealsActive: Bool = false,
        progress: (Double) -> Void = { _ in }, isCancelled: () -> Bool = { false }
    ) throws(DaybookError) -> CompactionReport {
        try requireNoWriteTransaction(for: "A compaction")
        return try compaction.withLock { _ throws(DaybookError) in
            try requireWritable()
            if isCancelled() { throw Self.interruptedCompaction }
            // Sealed commits are durable, so they become visible.
            defer { publication.tell() }
            if sealsActive || policy == .latest { try sealActiveSegment() }
            return try compactSealed(policy, progress: progress) {
                isCancelled() || self.lifecycle.withLock { $0 == .closed }
            }
        }
    }

    private func compactSealed(
        _ policy: HistoryPolicy, progress: (Double) -> Void, isCancelled: () -> Bool
    ) throws(DaybookError) -> CompactionReport {
        let bytesBefore = log.lengthBytes
        var report: CompactionReport
        do throws(DaybookError) {
            report = try compactOnce(policy, progress, isCancelled)
        } catch  where error.isRebuilt {
            // A damaged snapshot is not an error for the caller.
            report = try compactOnce(policy, progress, isCancelled)
        }
        report.bytesBefore = bytesBefore
        report.historyFloor = log.manifest.historyFloor
        report.bytesAfter = log.lengthBytes
        progress(1)
        return report
    }

    private func compactOnce(
        _ policy: HistoryPolicy, _ progress: (Double) -> Void, _ isCancelled: () -> Bool
    ) throws(DaybookError) -> CompactionReport {
        var report = CompactionReport(policy: policy)
        if policy == .latest {
            try compact(log.manifest.sealed, &report, progress: progress, isCancelled: isCancelled)
        } else {
            while let run = log.manifest.sealed.firstRun(where: { !$0.isBlocked }) {
                try compact(run, &report, progress: progress, isCancelled: isCancelled)
            }
        }
        return report
    }

    /// Rewrites consecutive segments.
    private func compact(
        _ inputs: [SegmentEntry], _ report: inout CompactionReport, progress: (Double) -> Void,
        isCancelled: () -> Bool
    ) throws(DaybookError) {
        guard !inputs.isEmpty else { return }
        let policy = report.policy
        let space = slot.current
        let bytes = inputs.reduce(0) { $0 + $1.length }
        let count =
            inputs.count + bytes / max(1, options.log.segmentSizeBytes) + Self.spareSegmentCount
        let first = try log.takeSegmentNumbers(count)
        let numbers = first..<(first + UInt32(count))
        var blocks = SealedSegmentWriter(log, options, numbers: numbers)
        let sifted: Sifted
        do throws(DaybookError) {
            sifted = try rewrite(
                inputs, policy, &report, progress: progress, isCancelled: isCancelled
            ) { verdict, frame throws(DaybookError) in
                for kept in verdict.kept {
                    try blocks.append(
                        kept.record, of: kept.sequence, in: frame, indexedAt: kept.indexedAt)
                }
            }
            try blocks.finish()
            if policy == .latest { try noteCompaction(floor: sifted.historyFloor) }
        } catch {
            log.discardUnnamed(numbers)
            if error.isDamagedSnapshot { try rebuildAndBeginAnew(space) }
            throw error
        }
        try install(blocks, in: inputs, sifted, space)
    }

    /// Returns the records that `compact` would keep and drop, by segment, with the reasons.
    /// Changes nothing. Cost: a read of the whole log. Throws `.closed`, `.interrupted`,
    /// `.corruption`.
    package func planCompaction(
        _ policy: HistoryPolicy, progress: (Double) -> Void = { _ in },
        isCancelled: () -> Bool = { false }
    ) throws(DaybookError) -> CompactionReport {
        try requireOpen()
        try requireNoWriteTransaction(for: "The plan of a compaction")
        let space = slot.current
        do throws(DaybookError) {
            return try plan(policy, progress, isCancelled)
        } catch  where error.isDamagedSnapshot {
            // A damaged snapshot is not an error for the caller.
            try writer.withLock { _ throws(DaybookError) in try rebuild(replacing: space) }
            return try plan(policy, progress, isCancelled)
        }
    }

    private func plan(
        _ policy: HistoryPolicy, _ progress: (Double) -> Void, _ isCancelled: () -> Bool
    ) throws(DaybookError) -> CompactionReport {
        var report = CompactionReport(policy: policy)
        report.bytesBefore = log.lengthBytes
        report.historyFloor = policy == .latest ? log.lastSequence : log.manifest.historyFloor
        _ = try rewrite(
            log.entries, policy, &report, progress: progress, isCancelled: isCancelled
        ) { _, _ throws(DaybookError) in }
        return report
    }

    typealias Forgotten = (entity: UInt32, id: UInt64, location: UInt64)

    /// The results of the rewriting that the installation needs.
    struct Sifted {
        /// The tombstones that were dropped.
        var forgotten: [Forgotten] = []
        /// The sequence of the state that decided which records are kept: the history before it may
        /// have gaps. Writers may have moved it beyond the rewritten segments. 0 if all records are
        /// kept.
        var historyFloor: UInt64 = 0
    }

    private static var interruptedCompaction: DaybookError {
        DaybookError(.interrupted, "Interrupted; the history of the store is unchanged.")
    }

    /// Compressed blocks never need more space than before, except for rounding at both ends.
    private static let spareSegmentCount = 2

    private func sealActiveSegment() throws(DaybookError) {
        try writer.withLock { _ throws(DaybookError) in
            try log.sealActiveSegment()
            trees.withLock { $0.position = log.end }
        }
    }

    /// Records in the log, after the segments being compacted, that history below `floor` has gaps
    /// and which ids must not be reused. The record is durable before a manifest can drop the
    /// records that imply those ids.
    private func noteCompaction(floor: UInt64) throws(DaybookError) {
        do {
            try write { transaction in
                let applied = trees.withLock { $0.applied }
                transaction.note(
                    CompactedRecord(
                        policy: .latest, historyFloor: floor,
                        nextIds: applied.counts.mapValues(\.nextId)))
            }
        } catch let error as DaybookError {
            throw error
        } catch {
            preconditionFailure("a write throws what its body throws: \(error)")
        }
        try log.durability?.wait(for: log.lastSequence)
    }

    private func rewrite(
        _ inputs: [SegmentEntry], _ policy: HistoryPolicy, _ report: inout CompactionReport,
        progress: (Double) -> Void, isCancelled: () -> Bool,
        keep: (LiveRecordFilter.Verdict, LogScanner.Frame) throws(DaybookError) -> Void
    ) throws(DaybookError) -> Sifted {
        var sifted = Sifted()
        let totalBytes = max(1, inputs.reduce(0) { $0 + $1.length })
        var doneBytes = 0
        let last = inputs.last?.lastSequence ?? 0
        var pin = slot.pin()
        var seen = try pin.reader.lastSequence
        if seen < last {
            // A roll adds a segment to the manifest before its last commits become visible, both
            // under the writer lock. Once this thread has acquired the lock, they are visible.
            writer.withLock { _ in }
            pin = slot.pin()
            seen = try pin.reader.lastSequence
            guard seen >= last else { throw Self.interruptedCompaction }
        }
        if policy == .latest { sifted.historyFloor = max(last, seen) }
        var filter = LiveRecordFilter(policy: policy, lastSequence: last)
        for entry in inputs {
            var line = CompactionReport.SegmentReport(entry)
            var scanner = try log.scan(entry)
            while let frame = try scanner.next() {
                if isCancelled() { throw Self.interruptedCompaction }
                let verdict = try filter.decide(frame, pin.reader)
                sifted.forgotten += verdict.forgotten
                line.add(verdict)
                try keep(verdict, frame)
                progress(Double(doneBytes + frame.offset) / Double(totalBytes))
            }
            doneBytes += entry.length
            line.explain(policy, entry)
            report.segments.append(line)
        }
        return sifted
    }
}

extension PageReader {
    /// The sequence of the last transaction in the trees.
    fileprivate var lastSequence: UInt64 {
        get throws(DaybookError) { try get(IndexTree.entities, 0)?.first ?? 0 }
    }
}

extension [SegmentEntry] {
    /// Returns the first run of consecutive elements that satisfy `matches`; nil if there is none.
    fileprivate func firstRun(where matches: (SegmentEntry) -> Bool) -> [SegmentEntry]? {
        guard let start = firstIndex(where: matches) else { return nil }
        return Array(self[start...].prefix(while: matches))
    }
}
