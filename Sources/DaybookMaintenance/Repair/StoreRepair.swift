import DaybookBytes
import DaybookEngine
import DaybookLog
import DaybookRecords

/// Builds the new store of a repair.
struct StoreRepair {
    let salvage: LogSalvage
    let survey: RepairSurvey
    let snapshot: SnapshotStore.Candidate?
    let codec: PayloadCodec
    let options: EngineOptions
    let keepsIncomplete: Bool
    let control: OperationControl

    /// Builds the store in a directory, which becomes a store in the last step. `check` is called
    /// before that.
    func build(
        _ path: String, _ fileSystem: any FileSystem, _ check: () throws(DaybookError) -> Void
    ) throws(DaybookError) -> RepairReport {
        let directory = try LogDirectory.beginUnnamed(
            path, fileSystem, holder: "process \(ProcessIdentity.current)", store: .random(),
            ancestors: ancestors, after: lastSequence,
            timeMicroseconds: UInt64(clamping: WallClock.microsecondsSinceEpoch()))
        do throws(DaybookError) {
            return try fill(directory, check)
        } catch {
            directory.discardUnnamed()
            throw error
        }
    }

    /// Whether the survey found losses.
    private var hasLosses: Bool { survey.findings.firstMissing != nil }

    /// The last sequence of the new store: after losses, of a transaction that records the repair.
    private var lastSequence: UInt64 {
        guard hasLosses else { return survey.end }
        return max(survey.end, survey.claim, survey.findings.lastMissing) + 1
    }

    /// The stores with the same history up to the first loss.
    private var ancestors: [Manifest.Ancestor] {
        let last = survey.findings.firstMissing.map { $0 - 1 } ?? survey.end
        let all =
            [Manifest.Ancestor(store: salvage.store, sequence: last)]
            + (salvage.manifest?.ancestors ?? []).map {
                Manifest.Ancestor(store: $0.store, sequence: min($0.sequence, last))
            }
        return all.filter { $0.sequence > 0 }
    }

    private func fill(
        _ directory: LogDirectory, _ check: () throws(DaybookError) -> Void
    ) throws(DaybookError) -> RepairReport {
        let schemas = SchemaTable(Schema())
        let (target, _) = try Log.open(
            directory, transform: SchemaTransposition(schemas), options: options.log, resume: nil,
            durableClaim: 0, onDurable: { _ in })
        var writer = try RepairWriter(
            survey, keepsIncomplete: keepsIncomplete, schemas,
            rescued: snapshot?.metadata.schema.layouts ?? [],
            SealedSegmentWriter(newStore: target, options))
        try writer.write(salvage, codec, control.stage(0.3, 0.7))
        try writer.finish()
        for (_, segment) in writer.log.finished { target.admit(segment) }
        var entries = writer.log.finished.map(\.entry)
        var state = try RepairedState(target, entries, control.stage(0.7, 1))
        var report = RepairReport()
        report.damages = survey.findings.damages
        report.notes = salvage.notes + survey.notes
        report.lostLayouts = writer.lostLayouts
        report.undecodableRowCount = writer.undecodableRowCount
        report.transactionCount = writer.transactionCount
        if hasLosses {
            // A snapshot that turns out to be damaged only shortens the report.
            if let snapshot { try? state.compare(snapshot) }
            try state.findContradictions()
            let added = try removeContradictions(state, after: entries, writer, target)
            entries += added
            try state.add(added)
        }
        report.lostObjects = state.lostObjects
        report.lostLinks = state.lostLinks
        report.objectCount = try state.objectCount()
        report.sequence = lastSequence
        try control.check()
        try check()
        try target.name(entries, historyFloor: historyFloor(writer))
        try target.close()
        report.lengthBytes = target.lengthBytes
        return report
    }

    /// History below the last loss has gaps.
    private func historyFloor(_ writer: RepairWriter) -> UInt64 {
        let last = max(survey.findings.lastMissing, writer.lastLeftOut)
        return max(survey.historyFloor, last > 0 ? min(last + 1, lastSequence) : 0)
    }

    /// Writes the last transaction, which makes the state consistent and reserves the ids of lost
    /// objects.
    private func removeContradictions(
        _ state: RepairedState, after entries: [SegmentEntry], _ writer: RepairWriter,
        _ target: Log
    ) throws(DaybookError) -> [SegmentEntry] {
        let number = (entries.map(\.number).max() ?? target.manifest.activeNumber) + 1
        var records = SealedSegmentWriter(
            target, options, numbers: number..<SegmentNumber.slotCount)
        let now = WallClock.microsecondsSinceEpoch()
        let time = max(Int64(clamping: now), writer.lastTimeMicroseconds)
        func append(_ write: (inout RecordWriter) -> Void) throws(DaybookError) {
            try records.append(to: lastSequence, timeMicroseconds: time) { write(&$0) }
        }
        if !state.nextIds.isEmpty {
            try append {
                $0.compacted(
                    CompactedRecord(policy: .all, historyFloor: 0, nextIds: state.nextIds))
            }
        }
        for link in state.links {
            try append {
                $0.unlink(relation: link.relation, source: link.source, target: link.target)
            }
        }
        for entry in state.elements {
            try append {
                $0.listRemove(
                    relation: entry.relation, source: entry.source, target: entry.target,
                    position: entry.position.span)
            }
        }
        for object in state.objects {
            try append {
                $0.remove(entity: object.entity, id: object.id, previous: object.previous)
            }
        }
        try records.commit(
            CommitRecord(
                sequence: lastSequence, timeMicroseconds: time, metadata: ["cause": "repair"]))
        try records.finish()
        for (_, segment) in records.finished { target.admit(segment) }
        return records.finished.map(\.entry)
    }
}
