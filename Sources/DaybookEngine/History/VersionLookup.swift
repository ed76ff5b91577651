package import DaybookBytes
import DaybookRecords
import DaybookLog
import Synchronization

/// Finds versions of objects in the log by the transactions that wrote them; from any thread.
///
/// It keeps the frames that it read last, so versions that were written together are read together.
/// Cost: in a kept frame, a pass over its records; else a read of some 64 KiB. In a transaction of
/// many frames, it reads the frames whose ranges of ids contain the id: one or two if the ids were
/// written in ascending order, all frames up to the record if their order was random.
package final class VersionLookup: Sendable {
    /// The limit of the kept frames, in bytes; the last frame is always kept.
    private static let rememberedBytesMax = 4 << 20

    private let engine: Engine
    /// The frames that were read last, the newest at the end.
    private let remembered = Mutex<[LogScanner.Frame]>([])

    package init(_ engine: Engine) { self.engine = engine }

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
        let logView = engine.log.view()
        if !gathered.isFound {
            var frames = try engine.log.search([key.records], withEarlier: true, in: logView)
            while !gathered.isFound, let frame = try frames.next() {
                try gathered.note(frame)
                if frame.mayContain(key) { remember(frame) }
            }
        }
        guard gathered.isFound else { throw missing(key) }
        if needsCommit, !gathered.isComplete {
            gathered.note(try commit(sequence, in: logView))
        }
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
        var found: CommitRecord?
        while needsCommit, found == nil, let next = try reader.next() {
            guard next.kind == .commit else { continue }
            found = try CommitRecord(decoding: payload.span.extracting(next.body))
        }
        // A transaction of many frames ends in a later one.
        if needsCommit, found == nil {
            found = try commit(entry.sequence, in: engine.log.view())
        }
        if let found, found.sequence != entry.sequence { return nil }
        return ObjectVersion(record, of: entry.sequence, found, in: payload)
    }

    /// The commit record of a transaction, in its last frame; nil if the log has none.
    private func commit(
        _ sequence: UInt64, in logView: LogView
    ) throws(DaybookError) -> CommitRecord? {
        guard let frame = try engine.log.lastFrame(of: sequence, in: logView) else { return nil }
        for (record, of) in try frame.records() where record.kind == .commit && of == sequence {
            return try CommitRecord(decoding: frame.payload.span.extracting(record.body))
        }
        return nil
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
        try scan.forEachFrame(of: wanted.keys, isCancelled: isCancelled) {
            frame throws(DaybookError) in
            for (record, sequence) in try frame.records() {
                guard let key = VersionKey(record, of: sequence),
                    let index = wanted.removeValue(forKey: key)
                else { continue }
                let isPut = record.kind == .put
                try visit(
                    index, isPut ? StoredRow(record, of: sequence, in: frame.payload) : nil)
            }
            return !wanted.isEmpty
        }
    }

    private func find(_ key: VersionKey) throws(DaybookError) -> LogRecord {
        try engine.requireOpen()
        for frame in remembered.withLock({ $0 }) where frame.mayContain(key) {
            if let found = try Self.look(for: key, in: frame) { return found }
        }
        var frames = try engine.log.search([key.records], in: engine.log.view())
        while let frame = try frames.next() {
            remember(frame)
            if let found = try Self.look(for: key, in: frame) { return found }
        }
        throw missing(key)
    }

    private static func look(
        for key: VersionKey, in frame: LogScanner.Frame
    ) throws(DaybookError) -> LogRecord? {
        for (record, sequence) in try frame.records()
        where sequence == key.sequence && record.isVersion(of: key) {
            return LogRecord(record: record, payload: frame.payload)
        }
        return nil
    }

    private func remember(_ frame: LogScanner.Frame) {
        remembered.withLock { frames in
            frames.removeAll { $0.segment == frame.segment && $0.offset == frame.offset }
            frames.append(frame)
            var bytes = frames.reduce(0) { $0 + $1.payload.count }
            while bytes > Self.rememberedBytesMax, frames.count > 1 {
                bytes -= frames.removeFirst().payload.count
            }
        }
    }

    /// The error for a version that the log does not contain: `.historyTruncated` if a compaction
    /// may have dropped it, else `.corruption`.
    func missing(_ key: VersionKey) -> DaybookError {
        let floor = engine.historyFloor
        let details = [
            "entity": String(key.entity), "id": String(key.id), "sequence": String(key.sequence),
            "historyFloor": String(floor),
        ]
        guard key.sequence > floor else {
            return DaybookError(
                .historyTruncated,
                "The version of object \(key.id) that was written at sequence \(key.sequence) is"
                    + " gone: a compaction dropped the versions that were superseded before"
                    + " sequence \(floor).",
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

extension LogScanner.Frame {
    /// Whether the frame may contain a version of an object.
    fileprivate func mayContain(_ key: VersionKey) -> Bool {
        header.firstSequence <= key.sequence && key.sequence <= header.lastSequence
            && header.keys.contains(key.id)
    }
}
