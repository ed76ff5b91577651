package import DaybookBytes
import DaybookRecords
import DaybookLog
import DaybookPages

extension Engine {
    /// One number for all that readers see now: two stores with the same number give the same
    /// answers.
    ///
    /// Cost: a walk over all trees and a read of the log, during which no compaction begins. Throws
    /// `.corruption`, `.interrupted`.
    package func stateHash(
        _ control: OperationControl = OperationControl()
    ) throws(DaybookError) -> UInt64 {
        try requireOpen()
        return try withoutRelocation { () throws(DaybookError) in try liveHash(control) }
    }

    /// ``stateHash(_:)`` for a caller that keeps compactions away.
    func liveHash(_ control: OperationControl) throws(DaybookError) -> UInt64 {
        let view = ReadView(slot.pin(), log)
        let schema = schemas.schema
        return try view.reading { reader throws(DaybookError) in
            try StateHash.compute(reader, schema: schema, rows: try log.rows(of: reader, control))
        }
    }

    /// Runs `body` while every record stays where the indexes have it. Writers go on; a read-only
    /// store takes over nothing meanwhile. Where the writer has replaced segments that the indexes
    /// of a read-only store point into, they are built anew first, for no scan would come by their
    /// records.
    func withoutRelocation<Result>(
        _ body: () throws(DaybookError) -> Result
    ) throws(DaybookError) -> Result {
        try compaction.withLock { _ throws(DaybookError) in
            guard log.isReadOnly else { return try body() }
            return try writer.withLock { _ throws(DaybookError) in
                if log.hasUnnamedSegments { try foldAnew() }
                return try body()
            }
        }
    }
}

extension Log {
    /// The rows that the indexes of a state lead to. Cost: a read of the whole log, and a look into
    /// the indexes for each put in it.
    func rows(
        of reader: PageReader, _ control: OperationControl
    ) throws(DaybookError) -> StateRows {
        var rows = StateRows()
        var frames = LogFrames(try scan(from: nil), progress: LogProgress(self))
        while let frame = try frames.next(control) { try rows.add(frame, in: reader) }
        return rows
    }
}

extension StateRows {
    /// Counts the rows of a frame that the indexes of `reader` lead to.
    mutating func add(
        _ frame: LogScanner.Frame, in reader: PageReader
    ) throws(DaybookError) {
        try frame.forEachRecord { record throws(DaybookError) in
            guard record.kind == .put else { return }
            try add(
                record, of: frame.payload.span,
                at: try frame.location(recordOffset: record.offset).rawValue, in: reader)
        }
    }
}
