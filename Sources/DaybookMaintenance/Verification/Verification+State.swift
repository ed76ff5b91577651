import DaybookBytes
import DaybookEngine
import DaybookRecords
import DaybookLog
import DaybookPages

extension Verification {
    /// Replays the log, and compares the state with each snapshot at its sequence and with the live
    /// state at the end.
    mutating func compare(_ engine: Engine, _ control: OperationControl) throws(DaybookError) {
        let log = engine.log
        var replay = SteppedReplay(log, control.stage(0, 0.6))
        let snapshotStore = SnapshotStore(fileSystem: fileSystem, directory: path)
        let bases = try snapshotStore.baseNames()
        for name in try snapshotStore.names() {
            if bases.contains(name) {
                try noteDamage(of: name) { _ throws(DaybookError) in
                    try snapshotStore.checkBase(name)
                }
            } else {
                try compare(name, log, &replay)
            }
        }
        try replay.advance(to: .max)
        let live = try engine.view(until: nil)
        let replayed = replay.view
        let (replayedTrees, liveTrees) = (replayed.hold(), live.hold())
        defer { withExtendedLifetime((replayedTrees, liveTrees)) {} }
        let hash = try StateHash.computeIndexes(replayedTrees.reader, schema: replay.schema)
        let liveHash = try StateHash.computeIndexes(
            liveTrees.reader, schema: engine.schemas.schema)
        guard hash == liveHash,
            try hasSameLocations(liveTrees.reader, replayedTrees.reader, replay.schema)
        else {
            return report.add(
                .corruption, "state",
                "The state of the replayed log differs from that of the opened store. Move the"
                    + " snapshot files away and open the store again to rebuild it from the log.",
                ["foldedHash": Self.hexadecimal(hash), "liveHash": Self.hexadecimal(liveHash)])
        }
        if let index = try IndexComparison.firstDifference(
            liveTrees.reader, replayedTrees.reader, schema: replay.schema)
        {
            return report.add(
                .corruption, "state",
                "An index differs from the log. Move the snapshot files away and open the store"
                    + " again to rebuild its indexes from the log.",
                ["index": String(index)])
        }
        // Both states point to the same records, so the rows of one state suffice.
        report.stateHash = try StateHash.compute(
            replayedTrees.reader, schema: replay.schema,
            rows: try log.rows(of: replayedTrees.reader, control.stage(0.6, 1)))
        for entity in replay.schema.entities { report.objectCount += try replayed.count(entity.id) }
    }

    private static func hexadecimal(_ hash: UInt64) -> String {
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Compares one snapshot with the replay at its sequence. A damaged snapshot makes the next
    /// opening slower and has no other effect.
    private mutating func compare(
        _ name: String, _ log: Log, _ replay: inout SteppedReplay
    ) throws(DaybookError) {
        // Damage of the log is no damage of the snapshot, so the replay runs outside.
        guard let snapshot = try opened(name, log) else { return }
        try replay.advance(to: snapshot.metadata.position.sequence)
        try noteDamage(of: name) { report throws(DaybookError) in
            let isEqual = try snapshot.space.withPinned { reader throws(DaybookError) in
                try replay.isEqual(to: reader, snapshot.metadata.schema)
            }
            if isEqual {
                report.snapshotCount += 1
            } else {
                report.add(.repairable, name, "Its state differs from the log. Remove it.")
            }
        }
    }

    /// Opens a snapshot that can be compared with the log; nil for other snapshots.
    private mutating func opened(
        _ name: String, _ log: Log
    ) throws(DaybookError) -> SnapshotStore.Candidate? {
        var found: SnapshotStore.Candidate?
        let snapshotStore = SnapshotStore(fileSystem: fileSystem, directory: path)
        try noteDamage(of: name) { report throws(DaybookError) in
            let snapshot = try snapshotStore.open(name)
            let sequence = snapshot.metadata.position.sequence
            guard snapshot.metadata.store == log.store else {
                return report.add(.repairable, name, "It belongs to another store. Remove it.")
            }
            // A snapshot above that sequence was written after this verification began.
            guard sequence <= log.lastSequence else { return }
            let live = Set(log.manifest.sealed.map(\.number) + [log.manifest.activeNumber])
            guard snapshot.metadata.segments.allSatisfy(live.contains),
                sequence >= log.manifest.historyFloor
            else {
                return report.add(
                    .note, name, "It points into segments that were replaced, and is not used.")
            }
            found = snapshot
        }
        return found
    }

    /// Runs a check of a snapshot. Damage is a finding, because a store opens without snapshots.
    private mutating func noteDamage(
        of name: String, _ look: (inout VerificationReport) throws(DaybookError) -> Void
    ) throws(DaybookError) {
        do throws(DaybookError) {
            try look(&report)
        } catch  where error.isDamage || error.code == .formatTooNew {
            // A group may be in an older file, which several snapshots use.
            let isGroup = error.details["snapshot"] == "group"
            let subject = isGroup ? error.details["file"] ?? name : name
            guard subject == name || !report.findings.contains(where: { $0.subject == subject })
            else { return }
            report.add(
                .repairable, subject,
                "\(error.message) The store opens without it, by reading more of the log.",
                error.details)
        } catch  where error.code == .fileNotFound {
            // The writer has removed the snapshot for a newer one.
        }
    }
}

/// Whether the records of the living objects have the same locations in two states.
private func hasSameLocations(
    _ one: PageReader, _ other: PageReader, _ schema: Schema
) throws(DaybookError) -> Bool {
    for entity in schema.entities {
        var left = try one.words(IndexTree.objects(of: entity.id))
        var right = try other.words(IndexTree.objects(of: entity.id))
        while true {
            let (one, other) = (try left.nextLiving(), try right.nextLiving())
            guard one?.id == other?.id, one?.location == other?.location else { return false }
            if one == nil { break }
        }
    }
    return true
}

extension WordCursor {
    fileprivate mutating func nextLiving() throws(DaybookError) -> (id: UInt64, location: UInt64)? {
        while let entry = try next() {
            let object = ObjectEntry(entry.value)
            if !object.isRemoved { return (entry.key, object.location) }
        }
        return nil
    }
}

extension SteppedReplay {
    /// Whether a state equals the replayed state, the locations of records included.
    fileprivate func isEqual(to reader: PageReader, _ other: Schema) throws(DaybookError) -> Bool {
        try space.withPinned { replayed throws(DaybookError) in
            let hash = try StateHash.computeIndexes(replayed, schema: schema)
            guard hash == (try StateHash.computeIndexes(reader, schema: other)) else {
                return false
            }
            guard try hasSameLocations(reader, replayed, schema) else { return false }
            return try IndexComparison.firstDifference(reader, replayed, schema: schema) == nil
        }
    }
}
