import DaybookBytes
import DaybookRecords
import DaybookLog

extension Engine {
    /// Whether an older backup contains the same transactions as this log, byte for byte.
    ///
    /// A compaction drops records and changes none. So the backup must contain all remaining
    /// records of a transaction, in the same order. In a store that was restored and then changed,
    /// the same sequence names another commit with another time. Cost: one read of both logs.
    func isSame(_ past: BackupPast, _ control: OperationControl) throws(DaybookError) -> Bool {
        let (after, until) = (past.sequences.lowerBound - 1, past.sequences.upperBound)
        var older = LogRecords(LogFrames(past.older, after: after, until: until))
        var current = LogRecords(LogFrames(past.current, after: after, until: until))
        while let record = try current.next(control).map(ComparedRecord.init) {
            var found: ComparedRecord?
            repeat {
                do throws(DaybookError) {
                    found = try older.next(control).map(ComparedRecord.init)
                } catch  where error.code == .corruption {
                    throw past.damaged(error)
                }
                guard let found, found.sequence <= record.sequence else { return false }
            } while found != record
        }
        return true
    }
}

/// A record as the comparison sees it: its transaction and its bytes.
private struct ComparedRecord: Equatable {
    let sequence: UInt64
    let bytes: ArraySlice<UInt8>

    init(_ found: (record: LogRecord, sequence: UInt64)) {
        let record = found.record.record
        sequence = found.sequence
        bytes = found.record.payload[record.offset..<record.end]
    }
}
