import DaybookBytes
import DaybookRecords
import DaybookLog

// A compaction proceeds in steps, from the oldest segment to the newest.

extension Engine {
    typealias Forgotten = (entity: UInt32, id: UInt64, location: UInt64)

    /// Compressed blocks never need more space than before, except for rounding at both ends.
    private static let spareSegmentCount = 2
    /// The limit of the length that one step reads, as a multiple of the length that it writes.
    private static let stepReadFactor = 8

    /// The length of the segments that one step should write: at least that of all indexes, because
    /// each step writes a snapshot and may change all pages. So snapshots never cost more than the
    /// segments.
    private var stepBytes: Int {
        max(options.log.segmentSizeBytes, trees.withLock { $0.indexBytes })
    }

    /// Rewrites consecutive segments in steps. Each step replaces some of the oldest remaining
    /// segments, so the additional disk space is that of one step. For each one:
    /// new segments, durable and read back → a record in the log, once → entries moved → snapshot
    /// → manifest, which is the commit point → old files unlinked.
    ///
    /// After each step, the log gives the same state as before for every sequence from the floor
    /// on: a step drops a version only if a later record supersedes it, and a tombstone only if
    /// this step or an earlier one has dropped all versions before it.
    ///
    /// Returns false, without a change, if the policy drops history and would drop no record.
    func compact(
        _ inputs: [SegmentEntry], _ report: inout CompactionReport, _ control: OperationControl
    ) throws(DaybookError) -> Bool {
        let space = slot.current
        var run: CompactionRun
        do throws(DaybookError) {
            run = try CompactionRun(inputs, report.policy, self, control)
        } catch {
            if error.isDamagedSnapshot { try rebuildAndBeginAnew(space) }
            throw error
        }
        if run.policy.dropsHistory, !run.canDropRecords { return false }
        while !run.rest.isEmpty { try step(&run, &report) }
        return true
    }

    private func step(
        _ run: inout CompactionRun, _ report: inout CompactionReport
    ) throws(DaybookError) {
        let space = slot.current
        let inputs = nextInputs(of: run)
        let bytes = inputs.reduce(0) { $0 + $1.length }
        let numbers = try log.takeSegmentNumbers(
            inputs.count + bytes / max(1, options.log.segmentSizeBytes) + Self.spareSegmentCount)
        var blocks = SealedSegmentWriter(log, options, numbers: numbers)
        var lines: [CompactionReport.SegmentReport] = []
        do throws(DaybookError) {
            lines = try rewrite(inputs, &run, &blocks)
            noteWritten(blocks.finished.reduce(0) { $0 + $1.entry.length }, run.policy)
            if run.floor > 0, !run.isNoted {
                try noteCompaction(run.policy, floor: run.floor)
                run.isNoted = true
            }
        } catch {
            log.discardUnnamed(numbers)
            if error.isDamagedSnapshot { try rebuildAndBeginAnew(space) }
            throw error
        }
        try install(
            blocks, in: Array(inputs.prefix(lines.count)), run.takeForgotten(),
            historyFloor: run.floor, space)
        report.segments += lines
    }

    private func noteWritten(_ byteCount: Int, _ policy: HistoryPolicy) {
        trees.withLock { state in
            if policy.dropsHistory {
                state.written.compaction += byteCount
            } else {
                state.written.compression += byteCount
            }
        }
    }

    /// The segments that the next step may read.
    private func nextInputs(of run: CompactionRun) -> ArraySlice<SegmentEntry> {
        let bytesMax = stepBytes * Self.stepReadFactor
        var bytes = 0
        return run.rest.prefix { entry in
            defer { bytes += entry.length }
            return bytes < bytesMax
        }
    }

    /// Writes the records that are kept of some of the inputs, until the new segments have the
    /// length of a step. Returns a line for each input that was read.
    private func rewrite(
        _ inputs: ArraySlice<SegmentEntry>, _ run: inout CompactionRun,
        _ blocks: inout SealedSegmentWriter
    ) throws(DaybookError) -> [CompactionReport.SegmentReport] {
        var lines: [CompactionReport.SegmentReport] = []
        let stepBytes = stepBytes
        let newest = try pinNewest(including: run.lastSequence)
        try run.beginStep(newest, log)
        // A longer pin would retain the segments that the step replaces.
        for entry in inputs where !isFull(blocks, stepBytes) {
            lines.append(
                try run.rewriteFirst(entry, log, newest) {
                    verdict, frame throws(DaybookError) in
                    for kept in verdict.kept {
                        try blocks.append(
                            kept.record, of: kept.sequence, in: frame, indexedAt: kept.indexedAt)
                    }
                })
        }
        try blocks.finish()
        return lines
    }

    /// Whether a step has written enough. It does not leave a short last segment if it can avoid
    /// that.
    private func isFull(_ blocks: SealedSegmentWriter, _ stepBytes: Int) -> Bool {
        let current = blocks.lengthBytes
        let written = blocks.finished.reduce(current) { $0 + $1.entry.length }
        return written >= stepBytes
            && (current == 0 || current >= options.log.segmentSizeBytes / 4 * 3)
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
                        policy: policy.recorded, historyFloor: floor,
                        nextIds: applied.counts.mapValues(\.nextId)))
            }
        } catch let error as DaybookError {
            throw error
        } catch {
            preconditionFailure("a write throws what its body throws: \(error)")
        }
        try log.durability?.wait(for: log.lastSequence)
    }
}

extension HistoryPolicy {
    /// The policy in the log's record of the compaction.
    fileprivate var recorded: CompactedRecord.Policy {
        if rule.floor < HistoryRule.newest { return .since }
        return rule.versionCount == 1 ? .latest : .versions
    }
}
