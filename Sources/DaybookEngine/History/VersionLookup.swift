package import DaybookBytes
import DaybookRecords
import DaybookLog
import Synchronization

/// Finds versions of objects in the log by the transactions that wrote them; from any thread.
///
/// It keeps the frames that it read last, so versions that were written together are read together.
/// Cost: in a kept frame, a pass over its records; else a read that starts at an entry of the
/// sparse index, some 64 KiB, and in a transaction of many frames ends with the record.
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
    func versions(
        _ entity: UInt32, _ id: UInt64, through sequence: UInt64
    ) throws(DaybookError) -> [ObjectVersion] {
        let key = VersionKey(entity: entity, id: id, sequence: sequence)
        try engine.requireOpen()
        var gathered = VersionChain(key)
        for frame in remembered.withLock({ $0 }) where frame.covers(sequence) {
            try gathered.note(frame)
        }
        if gathered.isComplete { return gathered.versions }
        var frames = LogFrames(try engine.log.scan(fromSequence: sequence), until: sequence)
        while let frame = try frames.next() {
            try gathered.note(frame)
            guard frame.covers(sequence) else { continue }
            remember(frame)
            if gathered.isComplete { break }
        }
        if gathered.isFound { return gathered.versions }
        throw missing(key)
    }

    private func find(_ key: VersionKey) throws(DaybookError) -> LogRecord {
        try engine.requireOpen()
        for frame in remembered.withLock({ $0 }) where frame.covers(key.sequence) {
            if let found = try Self.look(for: key, in: frame) { return found }
        }
        var frames = LogFrames(
            try engine.log.scan(fromSequence: key.sequence), after: max(1, key.sequence) - 1,
            until: key.sequence)
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

    private func missing(_ key: VersionKey) -> DaybookError {
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
    /// Whether the frame may contain records of the transaction.
    fileprivate func covers(_ sequence: UInt64) -> Bool {
        header.firstSequence <= sequence && sequence <= header.lastSequence
    }
}
