package import DaybookBytes
package import DaybookEngine
import DaybookRecords
import DaybookLog
import DaybookPages

extension Engine {
    /// The hash of the live state. Stores with equal hashes have equal states.
    ///
    /// Cost: a walk over all trees and a read of the log, during which no compaction begins. Throws
    /// `.corruption`, `.interrupted`.
    package func stateHash(
        _ control: OperationControl = OperationControl()
    ) throws(DaybookError) -> UInt64 {
        try requireOpen()
        return try withoutRelocation { () throws(DaybookError) in try liveHash(control) }
    }

    /// ``stateHash(_:)`` for a caller that prevents compactions.
    func liveHash(_ control: OperationControl) throws(DaybookError) -> UInt64 {
        let view = try view(until: nil)
        let schema = schemas.schema
        return try view.reading { reader throws(DaybookError) in
            try StateHash.compute(reader, schema: schema, rows: try log.rows(of: reader, control))
        }
    }
}

extension Log {
    /// The rows to which the indexes of a state point. Cost: a read of the whole log, and an index
    /// lookup for each put.
    func rows(
        of reader: PageReader, _ control: OperationControl
    ) throws(DaybookError) -> StateRows {
        var rows = StateRows()
        var frames = LogFrames(try scan(from: nil), progress: LogProgress(self))
        while let frame = try frames.next(control) { try rows.add(frame, in: reader) }
        return rows
    }
}
