import DaybookBytes
import DaybookRecords
import DaybookLog

extension Engine {
    /// Whether the transactions of this log that an older backup should have, too, are there the
    /// same, byte for byte.
    ///
    /// Compactions drop records and change none, so all that is left of a transaction has to stand
    /// in the backup, in the same order. In a store that was set back and went another way the same
    /// sequence stands for another commit, of another time. Cost: one read of both.
    func isSame(_ past: BackupPast, _ control: OperationControl) throws(DaybookError) -> Bool {
        var older = RecordWalk(past.older, past.sequences)
        var current = RecordWalk(past.current, past.sequences)
        while let record = try current.next(control) {
            var found: RecordWalk.Found?
            repeat {
                do throws(DaybookError) { found = try older.next(control) } catch
                    where error.code
                    == .corruption
                {
                    throw past.damaged(error)
                }
                guard let found, found.sequence <= record.sequence else { return false }
            } while found != record
        }
        return true
    }
}

/// The records of a log one by one, with the transactions that they belong to.
private struct RecordWalk {
    struct Found: Equatable {
        let sequence: UInt64
        let bytes: ArraySlice<UInt8>
    }

    private var scanner: LogScanner
    private let sequences: ClosedRange<UInt64>
    private var payload: [UInt8] = []
    private var waiting: ArraySlice<(Record, UInt64)> = []

    init(_ scanner: LogScanner, _ sequences: ClosedRange<UInt64>) {
        self.scanner = scanner
        self.sequences = sequences
    }

    /// The next record of the transactions that are asked for; nil behind the last one.
    mutating func next(_ control: OperationControl) throws(DaybookError) -> Found? {
        while true {
            while let (record, sequence) = waiting.popFirst() {
                if sequence < sequences.lowerBound { continue }
                guard sequence <= sequences.upperBound else { return nil }
                return Found(sequence: sequence, bytes: payload[record.offset..<record.end])
            }
            try control.check()
            guard let frame = try scanner.next(),
                frame.header.firstSequence <= sequences.upperBound
            else { return nil }
            payload = frame.payload
            waiting = try Survivors.records(of: frame)[...]
        }
    }
}
