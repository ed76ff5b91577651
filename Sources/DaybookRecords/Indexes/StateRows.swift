package import DaybookBytes
package import DaybookPages

/// The hash of all rows of a state. The log is read in its own order, so the hashes of the rows are
/// added.
package struct StateRows: Sendable {
    /// How many rows were counted; fewer than objects if an index entry points to no record of its
    /// object.
    package private(set) var count: UInt64 = 0
    package private(set) var sum: UInt64 = 0
    private var key = ByteWriter(capacity: 16)

    package init() {}

    /// Counts the row of a put in `payload`, if the indexes of `reader` point to the record, which
    /// is at `location` in the log. Cost: a tree walk and a hash.
    package mutating func add(
        _ put: Record, of payload: Span<UInt8>, at location: UInt64, in reader: PageReader
    ) throws(DaybookError) {
        guard let value = try reader.get(IndexTree.objects(of: put.entity), put.id) else { return }
        let entry = ObjectEntry(value)
        guard !entry.isRemoved, entry.location == location else { return }
        add(put, payload.extracting(put.row))
    }

    /// The seed contains the object and the layout: two objects that exchange their rows give
    /// another state.
    private mutating func add(_ record: Record, _ row: Span<UInt8>) {
        key.removeAll()
        key.uint32(record.entity)
        key.uint32(record.layout)
        key.uint64(record.id)
        count += 1
        sum &+= XXH64.hash(row, seed: XXH64.hash(key.span))
    }
}
