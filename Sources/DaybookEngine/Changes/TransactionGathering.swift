import DaybookBytes
import DaybookRecords
import DaybookLog

/// Holds the wanted records of a transaction back until its commit record tells sequence, time and
/// metadata. Held are references into the frames' payloads; a frame without wanted records is let
/// go.
struct TransactionGathering {
    let filter: RecordFilter
    /// Whether the definitions of layouts are wanted, too.
    let holdsLayouts: Bool
    private var held: [HeldRecord] = []

    init(_ filter: RecordFilter, holdsLayouts: Bool = false) {
        self.filter = filter
        self.holdsLayouts = holdsLayouts
    }

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
            } else if filter.accepts(record) || holdsLayouts && record.kind == .schema {
                held.append(HeldRecord(record: record, payload: payload))
            }
        }
        return true
    }
}
