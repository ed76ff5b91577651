import DaybookBytes
import DaybookIndex
import DaybookLog
import DaybookPages

extension Verification {
    /// Folds the log from zero and compares on the way with each snapshot, and at the end with the
    /// live state.
    mutating func compare(_ engine: Engine, _ control: OperationControl) throws(DaybookError) {
        let log = engine.log
        var folding = Folding(log, control)
        for name in try SnapshotShelf(fileSystem: fileSystem, directory: path).names() {
            try compare(name, log, &folding)
        }
        try folding.advance(to: .max)
        let live = ReadView(engine.slot.pin(), log)
        let folded = ReadView(folding.space.pin(), log)
        let hash = try StateHash.compute(folded.reader, schema: folding.schema)
        let liveHash = try StateHash.compute(live.reader, schema: engine.schemas.schema)
        guard hash == liveHash, try hasSameLocations(live, folded, folding.schema) else {
            return report.add(
                .corruption, "state",
                "The log gives another state than the store opens with. Put the snapshot files"
                    + " aside and open the store again: it is then built from the log.",
                ["foldedHash": Self.hexadecimal(hash), "liveHash": Self.hexadecimal(liveHash)])
        }
        report.stateHash = hash
        for entity in folding.schema.entities { report.objectCount += try folded.count(entity.id) }
    }

    private static func hexadecimal(_ hash: UInt64) -> String {
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Holds one snapshot against the fold at its sequence. A bad one costs time at the next
    /// opening, nothing else.
    private mutating func compare(
        _ name: String, _ log: Log, _ folding: inout Folding
    ) throws(DaybookError) {
        do throws(DaybookError) {
            let shelf = SnapshotShelf(fileSystem: fileSystem, directory: path)
            let snapshot = try shelf.open(name)
            let sequence = snapshot.metadata.position.sequence
            guard snapshot.metadata.store == log.store else {
                return report.add(.repairable, name, "It belongs to another store. Remove it.")
            }
            guard sequence <= log.lastSequence else {
                // Written after this look at the log began.
                return
            }
            let live = Set(log.manifest.sealed.map(\.number) + [log.manifest.activeNumber])
            guard snapshot.metadata.segments.allSatisfy(live.contains),
                sequence >= log.manifest.historyFloor
            else {
                return report.add(
                    .note, name, "It points into segments that were replaced, and is not used.")
            }
            try folding.advance(to: sequence)
            let hash = try StateHash.compute(
                snapshot.space.pin().reader, schema: snapshot.metadata.schema)
            guard hash == (try folding.hash()) else {
                return report.add(
                    .repairable, name, "It tells another state than the log. Remove it.")
            }
            report.snapshotCount += 1
        } catch  where error.code == .corruption || error.code == .formatTooNew {
            report.add(
                .repairable, name,
                "\(error.message) The store opens without it, by reading more of the log.",
                error.details)
        } catch  where error.code == .fileNotFound {
            // The writer has let it go for a newer one.
        }
    }

    /// Whether the living objects' records stand where the log has them.
    private func hasSameLocations(
        _ live: ReadView, _ folded: ReadView, _ schema: Schema
    ) throws(DaybookError) -> Bool {
        for entity in schema.entities {
            var left = try live.reader.words(IndexTree.objects(of: entity.id))
            var right = try folded.reader.words(IndexTree.objects(of: entity.id))
            while true {
                let (one, other) = (try left.nextLiving(), try right.nextLiving())
                guard one?.id == other?.id, one?.location == other?.location else { return false }
                if one == nil { break }
            }
        }
        return true
    }
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

/// The fold of a log, stopped at one sequence after another.
private struct Folding {
    let space = PageSpace()
    private let log: Log
    private let control: OperationControl
    private let progress: LogProgress
    private var fold = IndexFold()
    private var stamp: UInt64 = 0
    private(set) var schema = Schema()

    init(_ log: Log, _ control: OperationControl) {
        self.log = log
        self.control = control
        progress = LogProgress(log)
    }

    /// Folds up to a sequence, which must not be before the last one.
    mutating func advance(to sequence: UInt64) throws(DaybookError) {
        var replay = Replay(schema: schema, fold: fold)
        var scanner = try log.scan(fromSequence: fold.sequence + 1)
        let (control, progress) = (control, progress)
        try replay.run(
            &scanner, after: fold.sequence, until: sequence, into: space, stamp: &stamp,
            isCancelled: control.isCancelled
        ) { control.progress(progress.fraction(at: $0)) }
        fold = replay.fold
        schema = replay.schema
    }

    func hash() throws(DaybookError) -> UInt64 {
        try StateHash.compute(space.pin().reader, schema: schema)
    }
}
