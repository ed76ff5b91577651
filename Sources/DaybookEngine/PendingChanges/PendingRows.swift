import DaybookBytes
import DaybookRecords

/// What a running transaction had made of an entity's objects at one moment.
struct PendingRows {
    private struct Entry {
        var id: UInt64
        /// Where the row stands; nil for an object that is gone.
        var row: Range<Int>?
        var layout: UInt32
    }

    /// The transaction's bytes, which it copies when it writes more of them.
    private let bytes: ByteWriter
    private var entries: [Entry] = []
    /// The first that was not given yet.
    private var next = 0

    init(bytes: ByteWriter) { self.bytes = bytes }

    mutating func add(_ id: UInt64, _ row: Range<Int>?, layout: UInt32) {
        entries.append(Entry(id: id, row: row, layout: layout))
    }

    mutating func sort() { entries.sort { $0.id < $1.id } }

    /// The next object; nil behind the last.
    var nextId: UInt64? { next < entries.count ? entries[next].id : nil }

    /// Gives the next object's row to `body`, if it lives; false where `body` says so.
    mutating func giveNext(_ body: RowVisit.Body) throws -> Bool {
        let entry = entries[next]
        next += 1
        guard let row = entry.row else { return true }
        let alone = CollectionOfOne(RowBatch.Place(row, entry.id))
        return try body(RowBatch(bytes.span, alone.span, layout: entry.layout))
    }
}
