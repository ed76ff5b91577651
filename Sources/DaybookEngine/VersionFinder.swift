package import DaybookBytes
import DaybookIndex
import DaybookLog

/// Finds versions of objects in the log.
package final class VersionFinder: Sendable {
    private let engine: Engine

    package init(_ engine: Engine) { self.engine = engine }

    /// The row that the commit `sequence` gave to an object; nil where it removed it.
    ///
    /// Cost: a read of a frame or two. Throws `.historyTruncated` where a compaction dropped it.
    package func row(
        _ entity: UInt32, _ id: UInt64, at sequence: UInt64
    ) throws(DaybookError) -> StoredRow? {
        try engine.requireOpen()
        var scanner = try engine.log.scan(fromSequence: sequence)
        while let frame = try scanner.next(), frame.header.firstSequence <= sequence {
            guard frame.header.lastSequence >= sequence else { continue }
            for (record, commit) in try Survivors.records(of: frame)
            where commit == sequence && record.entity == entity && record.id == id {
                guard record.kind == .put else { return nil }
                return StoredRow(HeldRecord(record: record, payload: frame.payload), sequence)
            }
        }
        throw DaybookError(
            .historyTruncated,
            "What object \(id) was at sequence \(sequence) is gone: a compaction dropped it.",
            details: [
                "id": String(id), "sequence": String(sequence),
                "historyFloor": String(engine.historyFloor),
            ])
    }
}
