package import DaybookBytes
import DaybookRecords
import DaybookLog
import DaybookPages

extension Engine {
    /// Rewrites sealed segments while readers and writers continue. Only one compaction runs at a
    /// time.
    ///
    /// A policy that keeps all history gathers the payloads of segments that are not compressed
    /// yet. Other policies also drop superseded versions; see ``HistoryRule``. `sealsActive` first
    /// seals the active segment; a policy that drops history always does. The sealing remains, even
    /// after an error.
    ///
    /// The segments are rewritten in steps; see ``compact(_:_:_:)``. An error, a crash or an
    /// interruption keeps the finished steps. Throws `.invalidArgument` for an unknown entity, and
    /// `.interrupted` if `control` cancels the compaction or the store is closed.
    package func compact(
        _ policy: HistoryPolicy, sealsActive: Bool = false,
        _ control: OperationControl = OperationControl(),
        because cause: StoreEvent.CompactionCause = .call
    ) throws(DaybookError) -> CompactionReport {
        try requireNoWriteTransaction(for: "A compaction")
        let signpost = Signpost("compaction")
        defer { signpost.end() }
        let start = events?.now
        let report = try compaction.withLock { _ throws(DaybookError) in
            try requireWritable()
            if policy.dropsHistory { try options.shipping?.requireWriting() }
            try control.check()
            for name in policy.entities.keys { _ = try entityNumber(name) }
            // Sealed commits are durable, so they become visible.
            defer { publication.tell() }
            if sealsActive || policy.dropsHistory { try sealActiveSegment() }
            let closing = OperationControl(progress: control.progress) {
                control.isCancelled() || self.lifecycle.withLock { $0 == .closed }
            }
            return try compactSealed(policy, closing)
        }
        note(report, cause, .since(start))
        return report
    }

    /// Reports a compaction that rewrote segments to the observers.
    func note(
        _ report: CompactionReport, _ cause: StoreEvent.CompactionCause, _ duration: Duration
    ) {
        guard !report.segments.isEmpty else { return }
        events?.post(.compacted(report, cause: cause, duration: duration))
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
        report.heldBytes = report.segments.reduce(0) { bytes, segment in
            bytes + (log.isInUse(segment.number) ? segment.lengthBytes : 0)
        }
        control.progress(1)
        return report
    }

    private func compactOnce(
        _ policy: HistoryPolicy, _ control: OperationControl
    ) throws(DaybookError) -> CompactionReport {
        var report = CompactionReport(policy: policy)
        let sealed = compactible(log.manifest.sealed)
        if policy.dropsHistory, try compact(sealed, &report, control) { return report }
        // A policy that drops nothing, because an earlier compaction already dropped those
        // versions, does not rewrite compressed segments.
        report.policy = .all
        try compress(&report, control)
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
        while let run = compactible(log.manifest.sealed).firstRun(where: {
            !$0.isBlocked && $0.lastSequence <= end && damaged[$0.number] == nil
        }) {
            do throws(DaybookError) {
                _ = try compact(run, &report, control)
            } catch  where error.isUnreadableRow {
                guard let number = error.segment(among: run) else { throw error }
                damaged[number] = error
            }
        }
        trees.withLock { $0.unreadableSegments = damaged }
        if let first = damaged.min(by: { $0.key < $1.key }) { throw first.value }
    }

    /// The segments that a compaction may rewrite. In a replica these are the ones that were
    /// shipped: if another writer takes over, the transactions after the last shipped one are cut,
    /// and the shipper reads all records of a transaction.
    func compactible(_ entries: [SegmentEntry]) -> [SegmentEntry] {
        guard let shipping = options.shipping else { return entries }
        let shipped = shipping.shippedSequence
        return Array(entries.prefix { $0.lastSequence <= shipped })
    }

    /// Returns the records that `compact` would keep and drop, by segment, with the reasons.
    /// Changes nothing. Cost: a read of the whole log, or two. Throws `.invalidArgument` for an
    /// unknown entity, `.closed`, `.interrupted`, `.corruption`.
    package func planCompaction(
        _ policy: HistoryPolicy, _ control: OperationControl = OperationControl()
    ) throws(DaybookError) -> CompactionReport {
        try requireOpen()
        try requireNoWriteTransaction(for: "The plan of a compaction")
        for name in policy.entities.keys { _ = try entityNumber(name) }
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
        let entries = log.entries
        var run = try CompactionRun(entries, policy, self, control)
        if !run.canDropRecords { run = try CompactionRun(entries, .all, self, control) }
        var report = CompactionReport(policy: run.policy)
        report.bytesBefore = log.lengthBytes
        let newest = try pinNewest(including: run.lastSequence)
        try run.beginStep(newest, log)
        while let entry = run.rest.first {
            report.segments.append(
                try run.rewriteFirst(entry, log, newest) { _, _ throws(DaybookError) in })
        }
        report.historyFloor = max(log.manifest.historyFloor, run.floor)
        return report
    }

    func sealActiveSegment() throws(DaybookError) {
        try writer.withLock { _ throws(DaybookError) in
            try log.sealActiveSegment()
            trees.withLock { $0.position = log.end }
        }
    }

    /// Pins the newest version, which contains the commits up to `last`. Throws `.interrupted` if
    /// these are not visible.
    func pinNewest(including last: UInt64) throws(DaybookError) -> ReadView {
        var newest = ReadView(slot.pinVersion(), log)
        if try newest.sequence < last {
            // A roll adds a segment to the manifest before its last commits become visible, both
            // under the writer lock. Once this thread has acquired the lock, they are visible.
            writer.withLock { _ in }
            newest = ReadView(slot.pinVersion(), log)
        }
        guard try newest.sequence >= last else { throw .interrupted }
        // While the log cannot be shipped, the moves of the last compaction are not published.
        if options.shipping?.isAwaited == true, publication.hasWaitingRelocation {
            throw .interrupted
        }
        return newest
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
