package import DaybookBytes
import DaybookIndex
import DaybookLog
import Synchronization

/// Finds versions of objects in the log by the transactions that wrote them; from any thread.
///
/// It remembers the frames that it met last, so that versions that were written together are read
/// together. Cost: for one in a remembered frame a walk over the frame's records; else a read from
/// a waypoint of the log on, some 64 KiB, and of a transaction of many frames up to the record.
package final class VersionFinder: Sendable {
    /// How many bytes of frames are remembered at most; the last one always is.
    private static let rememberedBytesMax = 4 << 20

    private let engine: Engine
    /// The frames that were met last, the newest at the end.
    private let remembered = Mutex<[LogScanner.Frame]>([])

    package init(_ engine: Engine) { self.engine = engine }

    /// A record, and what its transaction was.
    private struct Finding {
        var record: Record
        var payload: [UInt8]
        var commit: CommitRecord?
    }

    /// The row of the version that a transaction wrote of an object; nil where it removed it.
    ///
    /// Throws `.historyTruncated` where a compaction dropped that version, `.corruption` where the
    /// log never had it.
    package func row(
        _ entity: UInt32, _ id: UInt64, at sequence: UInt64
    ) throws(DaybookError) -> StoredRow? {
        let key = VersionKey(entity: entity, id: id, sequence: sequence)
        return row(of: try find(key, withCommit: false), key)
    }

    /// The version that a transaction wrote of an object. Throws as ``row(_:_:at:)``.
    package func version(
        _ entity: UInt32, _ id: UInt64, at sequence: UInt64
    ) throws(DaybookError) -> ObjectVersion {
        let key = VersionKey(entity: entity, id: id, sequence: sequence)
        let finding = try find(key, withCommit: true)
        return ObjectVersion(
            sequence: sequence, timeMicroseconds: finding.commit?.timeMicroseconds ?? 0,
            metadata: finding.commit?.metadata ?? [:], row: row(of: finding, key),
            previous: finding.record.previous)
    }

    private func row(of finding: Finding, _ key: VersionKey) -> StoredRow? {
        guard finding.record.kind == .put else { return nil }
        return StoredRow(finding.record, of: key.sequence, in: finding.payload)
    }

    private func find(
        _ key: VersionKey, withCommit: Bool
    ) throws(DaybookError) -> Finding {
        try engine.requireOpen()
        var finding: Finding?
        for frame in remembered.withLock({ $0 }) where frame.covers(key.sequence) {
            try Self.look(for: key, in: frame, &finding)
        }
        if let finding, finding.commit != nil || !withCommit { return finding }
        var scanner = try engine.log.scan(fromSequence: key.sequence)
        while let frame = try scanner.next(), frame.header.firstSequence <= key.sequence {
            guard frame.covers(key.sequence) else { continue }
            remember(frame)
            try Self.look(for: key, in: frame, &finding)
            if let finding, finding.commit != nil || !withCommit { return finding }
        }
        if let finding { return finding }
        throw missing(key)
    }

    /// Looks for the record of a version, and for the commit record of its transaction.
    private static func look(
        for key: VersionKey, in frame: LogScanner.Frame, _ finding: inout Finding?
    ) throws(DaybookError) {
        for (record, sequence) in try Survivors.records(of: frame) where sequence == key.sequence {
            switch record.kind {
            case .put where record.id == key.id && record.entity == key.entity,
                .remove where record.id == key.id && record.entity == key.entity:
                finding = Finding(record: record, payload: frame.payload)
            case .commit:
                finding?.commit = try CommitRecord(
                    decoding: frame.payload.span.extracting(record.body))
            default: break
            }
        }
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
                    + " gone: a compaction dropped what was superseded before sequence \(floor).",
                details: details)
        }
        return DaybookError(
            .corruption,
            "The log has no version of object \(key.id) at sequence \(key.sequence). Run 'daybook"
                + " verify' on the store.", details: details)
    }
}

extension LogScanner.Frame {
    /// Whether records of the transaction stand in it.
    fileprivate func covers(_ sequence: UInt64) -> Bool {
        header.firstSequence <= sequence && sequence <= header.lastSequence
    }
}
