package import DaybookBytes
import DaybookLog
import DaybookPages
import DaybookRecords

extension Engine {
    /// The commits whose erasures are not finished.
    package var unfinishedErasures: [UInt64] {
        trees.withLock { $0.applied.erasures.filter { !$0.value }.keys.sorted() }
    }

    /// The commit of the last erasure; 0 if there is none.
    var lastErasure: UInt64 { trees.withLock { $0.applied.erasures.keys.max() ?? 0 } }

    /// Removes the erased versions that are still in the log, for all erasures that are not
    /// finished. Returns the sums of the reports. Cost: a read of the log for each erasure, a write
    /// of the segments with erased versions, and a rebuild of the indexes if an erased entity has
    /// any: index pages keep parts of removed keys. Writers wait for the rebuild.
    ///
    /// Throws `.readOnly`, `.interrupted`, `.corruption`, `.outOfSpace`, `.durabilityUnknown`,
    /// `.inputOutput`; the next call resumes.
    @discardableResult
    package func finishErasures(
        _ control: OperationControl = OperationControl()
    ) throws(DaybookError) -> ErasureReport {
        try requireNoWriteTransaction(for: "An erasure")
        return try compaction.withLock { _ throws(DaybookError) in
            try finishErasuresLocked(control)
        }
    }

    /// The same for a caller that holds ``compaction``.
    func finishErasuresLocked(
        _ control: OperationControl
    ) throws(DaybookError) -> ErasureReport {
        try requireWritable()
        defer { publication.tell() }
        let closing = OperationControl(progress: control.progress) {
            control.isCancelled() || self.lifecycle.withLock { $0 == .closed }
        }
        var report = ErasureReport()
        let sequences = unfinishedErasures
        for (index, sequence) in sequences.enumerated() {
            let part = closing.stage(
                Double(index) / Double(sequences.count),
                Double(index + 1) / Double(sequences.count))
            try finishErasure(sequence, &report, part)
        }
        report.isFinished = unfinishedErasures.isEmpty
        if report.isFinished { trees.withLock { $0.isErasureStopped = false } }
        return report
    }

    /// Whether there are erasures that the background should finish.
    var canResumeErasures: Bool {
        options.isMaintenanceAutomatic && !log.isReadOnly
            && trees.withLock { !$0.isErasureStopped && $0.applied.erasures.values.contains(false) }
    }

    /// Finishes erasures in the background, after an opening or a shipped commit that begins one.
    func finishErasuresIfDue() -> DaybookError? {
        guard canResumeErasures else { return nil }
        do throws(DaybookError) {
            try finishErasures()
            return nil
        } catch {
            // Each attempt reads the log up to the damage.
            if error.code == .corruption { trees.withLock { $0.isErasureStopped = true } }
            return error.code == .interrupted || error.code == .closed ? nil : error
        }
    }

    private func finishErasure(
        _ sequence: UInt64, _ report: inout ErasureReport, _ control: OperationControl
    ) throws(DaybookError) {
        try sealActiveSegment()
        let records = try erasedRecords(at: sequence).records
        let filter = ErasureFilter(records, at: sequence, schemas.schema)
        if !filter.isEmpty {
            // A replica waits until the commit is shipped.
            guard compactible(log.manifest.sealed).contains(where: { $0.contains(sequence) })
            else { return }
            try rewriteCommit(filter, .tombstones, &report, control)
            try dropVersions(filter, &report, control)
            try rewriteCommit(filter, .end, &report, control)
        }
        try dropPages(of: records, sequence, control)
    }

    /// Rewrites the segment with the commit of the erasure.
    private func rewriteCommit(
        _ filter: ErasureFilter, _ stage: ErasureFilter.Stage, _ report: inout ErasureReport,
        _ control: OperationControl
    ) throws(DaybookError) {
        let inputs = log.manifest.sealed.filter { $0.contains(filter.sequence) }
        try rewrite(inputs, filter, stage, &report, control)
    }

    /// Rewrites the segments with earlier versions, from the oldest to the newest.
    private func dropVersions(
        _ filter: ErasureFilter, _ report: inout ErasureReport, _ control: OperationControl
    ) throws(DaybookError) {
        let entries = log.manifest.sealed.filter { $0.firstSequence <= filter.sequence }
        var affected: Set<UInt64> = []
        try survey(entries, filter, .versions, control.stage(0, 0.5)) { count in
            affected.insert(count.segment)
        }
        let rest = control.stage(0.5, 1)
        var done = 0
        var run: [SegmentEntry] = []
        for (index, entry) in entries.enumerated() {
            if affected.contains(entry.number) { run.append(entry) }
            let isLast = index == entries.count - 1 || !affected.contains(entries[index + 1].number)
            let bytes = run.reduce(0) { $0 + $1.length }
            guard !run.isEmpty, isLast || bytes >= rewriteBytesMax else { continue }
            try rewrite(run, filter, .versions, &report, rest)
            done += run.count
            rest.progress(Double(done) / Double(affected.count))
            run = []
        }
    }

    /// The length of the segments that one step rewrites. Each step writes a snapshot, so a step
    /// is as large as the indexes.
    private var rewriteBytesMax: Int {
        max(options.log.segmentSizeBytes, trees.withLock { $0.indexBytes })
    }

    /// Replaces the pages and the snapshots that may contain keys of the erased objects, and notes
    /// that the erasure is finished.
    private func dropPages(
        of records: [ErasedRecord], _ sequence: UInt64, _ control: OperationControl
    ) throws(DaybookError) {
        try control.check()
        let space = slot.current
        if hasKeys(of: records) {
            try writer.withLock { _ throws(DaybookError) in
                try rebuild(replacing: space, isDamaged: false)
            }
        } else {
            try changeTrees(of: space) { space, state throws(DaybookError) in
                try state.applied.noteErasure(sequence, isFinished: true, in: space)
            }
        }
        dropPastVersions()
        let name = try writeNamedSnapshot(isCancelled: control.isCancelled).name
        try pruneSnapshots(keeping: name, olderCount: 0)
        // A file that was removed could come back after a power cut.
        try log.fileSystem.syncDirectory(log.directory)
    }

    /// Whether index pages may contain values of the objects: an index of their entities, or the
    /// keys of a relation.
    private func hasKeys(of records: [ErasedRecord]) -> Bool {
        let schema = schemas.schema
        return records.contains { record in
            // Pages of an index that was removed may still be in a snapshot.
            schema.layouts.contains { $0.entityID == record.entity && !$0.indexes.isEmpty }
                || schema.relations.contains {
                    $0.type == .keyedObjects
                        && ($0.entityID == record.entity || $0.targetEntityID == record.entity)
                }
        }
    }
}

extension SegmentEntry {
    fileprivate func contains(_ sequence: UInt64) -> Bool {
        firstSequence <= sequence && sequence <= lastSequence
    }
}
