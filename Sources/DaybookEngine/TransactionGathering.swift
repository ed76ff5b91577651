import DaybookBytes
import DaybookIndex
import DaybookLog

/// Holds the wanted records of a transaction back until its commit record tells sequence, time and
/// metadata. Held are references into the frames' payloads; a frame without wanted records is let
/// go.
struct TransactionGathering {
    let filter: RecordFilter
    private var held: [HeldRecord] = []

    init(_ filter: RecordFilter) { self.filter = filter }

    /// Reads a frame and gives each transaction that ends in it to `ended`, until that returns
    /// false.
    mutating func read(
        _ frame: LogScanner.Frame,
        _ ended: (CommitRecord, [HeldRecord]) throws(DaybookError) -> Bool
    ) throws(DaybookError) -> Bool {
        let payload = frame.payload
        var reader = RecordReader(payload.span)
        while let record = try reader.next() {
            if record.kind == .commit {
                let commit = try CommitRecord(decoding: payload.span.extracting(record.body))
                let records = held
                held.removeAll(keepingCapacity: false)
                if try !ended(commit, records) { return false }
            } else if filter.accepts(record) {
                held.append(HeldRecord(record: record, payload: payload))
            }
        }
        return true
    }
}
