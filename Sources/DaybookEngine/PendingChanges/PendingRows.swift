import DaybookBytes
import DaybookRecords

/// A running transaction's changes of an entity's objects at one moment.
struct PendingRows {
    private struct Entry {
        var id: UInt64
        /// The range of the row; nil for a removed object.
        var row: Range<Int>?
        var layout: UInt32
    }

    /// The transaction's bytes. The transaction copies them when it writes more.
    private let bytes: ByteWriter
    private var entries: [Entry] = []
    /// The index of the next entry to return.
    private var next = 0

    init(bytes: ByteWriter) { self.bytes = bytes }

    mutating func add(_ id: UInt64, _ row: Range<Int>?, layout: UInt32) {
        entries.append(Entry(id: id, row: row, layout: layout))
    }

    mutating func sort() { entries.sort { $0.id < $1.id } }

    /// The id of the next object; nil after the last.
    var nextId: UInt64? { next < entries.count ? entries[next].id : nil }

    /// Passes the next object's row to `body` if the object exists. Returns false if `body` does.
    mutating func giveNext(_ body: RowVisit.Body) throws -> Bool {
        let entry = entries[next]
        next += 1
        guard let row = entry.row else { return true }
        let alone = CollectionOfOne(RowBatch.Place(row, entry.id))
        return try body(RowBatch(bytes.span, alone.span, layout: entry.layout))
    }
}
