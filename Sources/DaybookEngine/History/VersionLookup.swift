package import DaybookBytes
import DaybookRecords
import DaybookLog
import Synchronization

/// Finds versions of objects in the log by the transactions that wrote them; from any thread.
///
/// It keeps the frames that it read last, so versions that were written together are read together.
/// Cost: in a kept or cached frame, a pass over its records; else a read of the frame, and of the
/// headers of the frames in some 64 KiB before it. In a transaction of many frames, it reads the
/// frames whose ranges of ids contain the id: one or two if the ids were written in ascending
/// order, all frames up to the record if their order was random. The commit records of such
/// transactions are kept: see ``CommitRecordCache``.
package final class VersionLookup: Sendable {
    /// The limits of the kept frames; the last frame is always kept.
    private static let rememberedBytesMax = 4 << 20
    private static let rememberedCountMax = 64

    private let engine: Engine
    /// The frames that were read last, the newest at the end.
    private let remembered = Mutex<[LogScanner.Frame]>([])

    package init(_ engine: Engine) { self.engine = engine }

    /// Whether a transaction erased objects.
    func isErasure(_ sequence: UInt64) -> Bool {
        engine.trees.withLock { $0.applied.erasures[sequence] != nil }
    }

    /// The row that a transaction wrote of an object; nil if the transaction removed the object.
    ///
    /// Throws `.historyTruncated` if a compaction dropped the version, `.corruption` if the log
    /// never had it.
    package func row(
        _ entity: UInt32, _ id: UInt64, at sequence: UInt64
    ) throws(DaybookError) -> StoredRow? {
        let key = VersionKey(entity: entity, id: id, sequence: sequence)
        let finding = try find(key)
        guard finding.record.kind == .put else { return nil }
        return StoredRow(finding.record, of: sequence, in: finding.payload)
    }

    /// The version that a transaction wrote of an object, and the earlier versions in the frames
    /// that were read to find it: a walk back through the history needs them next. The rows are
    /// copies and retain no frames. Throws the errors of ``row(_:_:at:)``.
    ///
    /// - Parameter needsCommit: false if the caller uses neither the times nor the metadata of the
    ///   transactions.
    func versions(
        _ entity: UInt32, _ id: UInt64, through sequence: UInt64, needsCommit: Bool = true
    ) throws(DaybookError) -> [ObjectVersion] {
        let key = VersionKey(entity: entity, id: id, sequence: sequence)
        try engine.requireOpen()
        var gathered = VersionChain(key)
        for frame in remembered.withLock({ $0 }) where frame.mayContain(key) {
            try gathered.note(frame)
        }
        if !gathered.isFound {
            var frames = try engine.log.search(
                [key.records], withEarlier: true, in: engine.log.view())
            while !gathered.isFound, let frame = try frames.next() {
                try gathered.note(frame)
                if frame.mayContain(key) { remember(frame) }
                if gathered.isFound { engine.log.keep(frame) }
            }
        }
        guard gathered.isFound else { throw missing(key) }
        if needsCommit, !gathered.isComplete { gathered.note(try commit(sequence)) }
        return gathered.versions
    }

    /// The newest version of an object, by its index entry and the frame to which that points. Nil
    /// if the record is not there any more, so that it must be searched for.
    func version(
        _ entity: UInt32, _ id: UInt64, at entry: ObjectEntry, in frame: InflatedFrame,
        needsCommit: Bool
    ) throws(DaybookError) -> ObjectVersion? {
        let key = VersionKey(entity: entity, id: id, sequence: entry.sequence)
        let payload = frame.bytes
        let place = Location(rawValue: entry.location).recordOffset
        var reader = RecordReader(payload.span, from: place)
        guard let record = try reader.next(), record.isVersion(of: key) else { return nil }
        var found = needsCommit ? engine.commitRecords[entry.sequence] : nil
        if needsCommit, found == nil {
            if let next = try reader.nextCommit() {
                found = try CommitRecord(decoding: payload.span.extracting(next.body))
            } else {
                // A transaction of many frames ends in a later one.
                found = try commit(entry.sequence)
            }
        }
        if let found, found.sequence != entry.sequence { return nil }
        return ObjectVersion(record, of: entry.sequence, found, in: payload)
    }

    /// The commit record of a transaction of many frames; nil if the log has none. Cost: a read of
    /// its last frame, unless the commit record is kept.
    private func commit(_ sequence: UInt64) throws(DaybookError) -> CommitRecord? {
        if let kept = engine.commitRecords[sequence] { return kept }
        let frame = try engine.log.lastFrame(of: sequence, in: engine.log.view())
        guard let commit = try frame?.commit(of: sequence) else { return nil }
        engine.commitRecords.keep(commit)
        return commit
    }

    /// Calls `visit` with each of the wanted versions that the log contains, in the order of the
    /// log, and removes it from `wanted`: the row, or nil if the transaction removed the object.
    ///
    /// Cost: one pass over the transactions that wrote the versions, up to the last version. Throws
    /// `.closed`, `.corruption`, `.interrupted`.
    func forEachRow(
        _ wanted: inout [VersionKey: Int], _ isCancelled: () -> Bool,
        _ visit: (Int, StoredRow?) throws(DaybookError) -> Void
    ) throws(DaybookError) {
        try engine.requireOpen()
        let scan = VersionScan(log: engine.log, logView: engine.log.view())
        let keys = Array(wanted.keys)
        try scan.forEach(keys, isCancelled: isCancelled) {
            place, record, frame throws(DaybookError) in
            guard let index = wanted.removeValue(forKey: keys[place]) else { return }
            let isPut = record.kind == .put
            try visit(
                index,
                isPut ? StoredRow(record, of: keys[place].sequence, in: frame.payload) : nil)
        }
    }

    private func find(_ key: VersionKey) throws(DaybookError) -> LogRecord {
        try engine.requireOpen()
        for frame in remembered.withLock({ $0 }) where frame.mayContain(key) {
            if let found = try frame.version(key) {
                return LogRecord(record: found, payload: frame.payload)
            }
        }
        var frames = try engine.log.search([key.records], in: engine.log.view())
        while let frame = try frames.next() {
            remember(frame)
            guard let found = try frame.version(key) else { continue }
            engine.log.keep(frame)
            return LogRecord(record: found, payload: frame.payload)
        }
        throw missing(key)
    }

    private func remember(_ frame: LogScanner.Frame) {
        remembered.withLock { frames in
            frames.removeAll { $0.segment == frame.segment && $0.offset == frame.offset }
            frames.append(frame)
            var bytes = frames.reduce(0) { $0 + $1.payload.count }
            while bytes > Self.rememberedBytesMax && frames.count > 1
                || frames.count > Self.rememberedCountMax
            {
                bytes -= frames.removeFirst().payload.count
            }
        }
    }

    /// The error for a version that the log does not contain: `.historyTruncated` if a compaction
    /// may have dropped it, else `.corruption`.
    func missing(_ key: VersionKey) -> DaybookError {
        // Which objects were erased is not known any more, so an erasure explains all losses before
        // it. A verification follows all histories.
        let floor = max(engine.historyFloor, engine.lastErasure)
        let details = [
            "entity": String(key.entity), "id": String(key.id), "sequence": String(key.sequence),
            "historyFloor": String(floor),
        ]
        guard key.sequence > floor else {
            return DaybookError(
                .historyTruncated,
                "The version of object \(key.id) that was written at sequence \(key.sequence) is"
                    + " gone: an erasure, or a compaction that dropped superseded versions, removed"
                    + " it before sequence \(floor).",
                details: details)
        }
        return DaybookError(
            .corruption,
            "The log has no version of object \(key.id) at sequence \(key.sequence). Run 'daybook"
                + " verify' on the store.", details: details)
    }
}

extension Record {
    /// Whether the record is a version of the object.
    func isVersion(of key: VersionKey) -> Bool {
        (kind == .put || kind == .remove) && id == key.id && entity == key.entity
    }
}
