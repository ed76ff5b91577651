package import DaybookBytes
package import DaybookPages

/// The rows of a state's objects as one number, gathered from the log in whatever order they stand
/// there: their hashes are added up.
package struct StateRows: Sendable {
    /// How many rows were counted; fewer than objects where an index leads to no record of its
    /// object.
    package private(set) var count: UInt64 = 0
    package private(set) var sum: UInt64 = 0
    private var key = ByteWriter(capacity: 16)

    package init() {}

    /// Counts the rows of a payload that the indexes of `reader` lead to; `location` tells the
    /// place of a record in the log from its offset in the payload. Cost: a tree walk and a hash a
    /// put.
    package mutating func add(
        _ payload: Span<UInt8>, in reader: PageReader,
        location: (Int) throws(DaybookError) -> UInt64
    ) throws(DaybookError) {
        var records = RecordReader(payload)
        while let record = try records.next() {
            guard record.kind == .put,
                let value = try reader.get(IndexTree.objects(of: record.entity), record.id)
            else { continue }
            let entry = ObjectEntry(value)
            guard !entry.isRemoved, entry.location == (try location(record.offset)) else {
                continue
            }
            add(record, payload.extracting(record.row))
        }
    }

    /// Whose row it is and how it is laid out is part of the seed: two objects that exchange their
    /// rows are another state.
    private mutating func add(_ record: Record, _ row: Span<UInt8>) {
        key.removeAll()
        key.uint32(record.entity)
        key.uint32(record.layout)
        key.uint64(record.id)
        count += 1
        sum &+= XXH64.hash(row, seed: XXH64.hash(key.span))
    }
}
