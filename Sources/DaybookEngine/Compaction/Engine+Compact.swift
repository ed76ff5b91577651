package import DaybookBytes
import DaybookRecords
import DaybookLog
import DaybookPages

extension Engine {
    /// Rewrites sealed segments while readers and writers continue. Only one compaction runs at a
    /// time.
    ///
    /// `.all` gathers the payloads of segments that are not compressed yet. `.since` and `.latest`
    /// also drop superseded versions; see ``HistoryPolicy``. `sealsActive` first seals the active
    /// segment; `.since` and `.latest` always do. The sealing remains, even after an error.
    ///
    /// Order: new segments, durable and read back → a record in the log → entries moved → snapshot
    /// → manifest, which is the commit point → old files unlinked. A crash or an interruption
    /// before the manifest leaves the history unchanged. Throws `.interrupted` if `control` cancels
    /// the compaction or the store is closed.
    package func compact(
        _ policy: HistoryPolicy, sealsActive: Bool = false,
        _ control: OperationControl = OperationControl()
    ) throws(DaybookError) -> CompactionReport {
        try requireNoWriteTransaction(for: "A compaction")
        return try compaction.withLock { _ throws(DaybookError) in
            try requireWritable()
            try control.check()
            // Sealed commits are durable, so they become visible.
            defer { publication.tell() }
            let policy = effective(policy)
            if sealsActive || policy != .all { try sealActiveSegment() }
            let closing = OperationControl(progress: control.progress) {
                control.isCancelled() || self.lifecycle.withLock { $0 == .closed }
            }
            return try compactSealed(policy, closing)
        }
    }

    /// A policy that drops nothing, because an earlier compaction already dropped those versions,
    /// does not rewrite compressed segments.
    private func effective(_ policy: HistoryPolicy) -> HistoryPolicy {
        if case .since(let floor) = policy, floor <= historyFloor { return .all }
        return policy
    }

    private func compactSealed(
        _ policy: HistoryPolicy, _ control: OperationControl
    ) throws(DaybookError) -> CompactionReport {
        let bytesBefore = log.lengthBytes
        var report: CompactionReport
        do throws(DaybookError) {
            report = try compactOnce(policy, control)
        } catch  where error.isRebuilt {
            // A damaged snapshot is not an error for the caller.
            report = try compactOnce(policy, control)
        }
        report.bytesBefore = bytesBefore
        report.historyFloor = log.manifest.historyFloor
        report.bytesAfter = log.lengthBytes
        control.progress(1)
        return report
    }

    private func compactOnce(
        _ policy: HistoryPolicy, _ control: OperationControl
    ) throws(DaybookError) -> CompactionReport {
        var report = CompactionReport(policy: policy)
        if policy == .all {
            try compress(&report, control)
        } else {
            try compact(log.manifest.sealed, &report, control)
        }
        return report
    }

    /// Compresses the segments that are not compressed at the beginning; writers may seal others
    /// faster than this method compresses. A damaged one does not prevent the compression of the
    /// others; its error is thrown at the end.
    private func compress(
        _ report: inout CompactionReport, _ control: OperationControl
    ) throws(DaybookError) {
        var damaged: [UInt64: DaybookError] = [:]
        let end = log.manifest.sealed.last?.lastSequence ?? 0
        while let run = log.manifest.sealed.firstRun(where: {
            !$0.isBlocked && $0.lastSequence <= end && damaged[$0.number] == nil
        }) {
            let before = report
            do throws(DaybookError) {
                try compact(run, &report, control)
            } catch  where error.isUnreadableRow {
                report = before
                guard let number = error.segment(among: run) else { throw error }
                damaged[number] = error
            }
        }
        trees.withLock { $0.unreadableSegments = damaged }
        if let first = damaged.min(by: { $0.key < $1.key }) { throw first.value }
    }

    /// Rewrites consecutive segments.
    func compact(
        _ inputs: [SegmentEntry], _ report: inout CompactionReport, _ control: OperationControl
    ) throws(DaybookError) {
        guard !inputs.isEmpty else { return }
        let policy = report.policy
        let space = slot.current
        let bytes = inputs.reduce(0) { $0 + $1.length }
        let count =
            inputs.count + bytes / max(1, options.log.segmentSizeBytes) + Self.spareSegmentCount
        let numbers = try log.takeSegmentNumbers(count)
        var blocks = SealedSegmentWriter(log, options, numbers: numbers)
        let sifted: Sifted
        do throws(DaybookError) {
            sifted = try rewrite(inputs, &report, control) { verdict, frame throws(DaybookError) in
                for kept in verdict.kept {
                    try blocks.append(
                        kept.record, of: kept.sequence, in: frame, indexedAt: kept.indexedAt)
                }
            }
            try blocks.finish()
            noteWritten(blocks.finished.reduce(0) { $0 + $1.entry.length }, policy)
            if policy != .all { try noteCompaction(policy, floor: sifted.historyFloor) }
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
        _ policy: HistoryPolicy, _ control: OperationControl = OperationControl()
    ) throws(DaybookError) -> CompactionReport {
        try requireOpen()
        try requireNoWriteTransaction(for: "The plan of a compaction")
        let space = slot.current
        do throws(DaybookError) {
            return try plan(policy, control)
        } catch  where error.isDamagedSnapshot {
            // A damaged snapshot is not an error for the caller.
            try writer.withLock { _ throws(DaybookError) in try rebuild(replacing: space) }
            return try plan(policy, control)
        }
    }

    private func plan(
        _ policy: HistoryPolicy, _ control: OperationControl
    ) throws(DaybookError) -> CompactionReport {
        var report = CompactionReport(policy: effective(policy))
        report.bytesBefore = log.lengthBytes
        let sifted = try rewrite(log.entries, &report, control) { _, _ throws(DaybookError) in }
        report.historyFloor = max(log.manifest.historyFloor, sifted.historyFloor)
        return report
    }

    typealias Forgotten = (entity: UInt32, id: UInt64, location: UInt64)

    /// The results of the rewriting that the installation needs.
    struct Sifted {
        /// The tombstones that were dropped.
        var forgotten: [Forgotten] = []
        /// The sequence of the state that decided which records are kept: the history before it may
        /// have gaps. For `.latest`, writers may have moved it beyond the rewritten segments. 0 if
        /// all records are kept.
        var historyFloor: UInt64 = 0
    }

    private func noteWritten(_ byteCount: Int, _ policy: HistoryPolicy) {
        trees.withLock { state in
            if policy == .all {
                state.written.compression += byteCount
            } else {
                state.written.compaction += byteCount
            }
        }
    }

    /// Compressed blocks never need more space than before, except for rounding at both ends.
    private static let spareSegmentCount = 2

    func sealActiveSegment() throws(DaybookError) {
        try writer.withLock { _ throws(DaybookError) in
            try log.sealActiveSegment()
            trees.withLock { $0.position = log.end }
        }
    }

    /// Records in the log, after the segments being compacted, that history below `floor` has gaps
    /// and which ids must not be reused. The record is durable before a manifest can drop the
    /// records that imply those ids.
    private func noteCompaction(
        _ policy: HistoryPolicy, floor: UInt64
    ) throws(DaybookError) {
        do {
            try write { transaction in
                let applied = trees.withLock { $0.applied }
                transaction.note(
                    CompactedRecord(
                        policy: policy == .latest ? .latest : .since, historyFloor: floor,
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
        _ inputs: [SegmentEntry], _ report: inout CompactionReport, _ control: OperationControl,
        keep: (LiveRecordFilter.Verdict, LogScanner.Frame) throws(DaybookError) -> Void
    ) throws(DaybookError) -> Sifted {
        var sifted = Sifted()
        let totalBytes = max(1, inputs.reduce(0) { $0 + $1.length })
        var doneBytes = 0
        let states = try states(for: report.policy, last: inputs.last?.lastSequence ?? 0, control)
        sifted.historyFloor = states.floor
        var filter = states.filter
        for entry in inputs {
            var line = CompactionReport.SegmentReport(entry)
            var scanner = try log.scan(entry)
            while let frame = try scanner.next() {
                try control.check()
                let verdict = try filter.decide(frame)
                sifted.forgotten += verdict.forgotten
                line.add(verdict)
                try keep(verdict, frame)
                control.progress(Double(doneBytes + frame.offset) / Double(totalBytes))
            }
            doneBytes += entry.length
            line.explain(report.policy, entry)
            report.segments.append(line)
        }
        return sifted
    }
}

extension DaybookError {
    /// The segment whose damage caused the error; nil if the error does not name it.
    func segment(among entries: [SegmentEntry]) -> UInt64? {
        entries.first { entry in
            details["segment"] == String(entry.number)
                || details["path"]?.hasSuffix("/" + entry.fileName.text) ?? false
        }?.number
    }
}

extension [SegmentEntry] {
    /// Returns the first run of consecutive elements that satisfy `matches`; nil if there is none.
    fileprivate func firstRun(where matches: (SegmentEntry) -> Bool) -> [SegmentEntry]? {
        guard let start = firstIndex(where: matches) else { return nil }
        return Array(self[start...].prefix(while: matches))
    }
}
