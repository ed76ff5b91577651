package import DaybookBytes
import DaybookRecords
import DaybookLog
import DaybookPages

/// Walks an entity's living objects in the order of their ids, one row at a time. Rows that were
/// written together share a frame, which is looked up once for the run of them.
package struct RowScan {
    private let log: Log
    private let entity: UInt32
    private var walk: EntryCursor<ReadView>
    /// The entries that were gathered last: ``count`` of them, of which ``place`` were given.
    private var entries = [WordEntry](repeating: WordEntry(), count: RowVisit.countAtFirst)
    private var count = 0
    private var place = 0
    private var frame: InflatedFrame?
    private var frameKey: UInt64 = .max

    init(_ view: ReadView, _ entity: UInt32, from id: UInt64 = 0) {
        log = view.log
        self.entity = entity
        walk = EntryCursor(view, entity, id...UInt64.max)
    }

    /// The next entry, removed ones among them.
    private mutating func nextEntry() throws(DaybookError) -> WordEntry? {
        if place == count {
            try OperationCancellation.checkCurrent()
            count = try walk.next(into: &entries)
            place = 0
        }
        guard place < count else { return nil }
        defer { place += 1 }
        return entries[place]
    }

    /// The next object's row, or nil after the last.
    package mutating func next() throws(DaybookError) -> StoredRow? {
        while let found = try nextEntry() {
            let id = found.key
            let entry = ObjectEntry(found.value)
            if entry.isRemoved { continue }
            let location = Location(rawValue: entry.location)
            if let frame, frameKey == location.frameKey {
                return try StoredRow(entry, entity: entity, id: id, location, frame)
            }
            let found = try log.frame(at: location)
            frame = found
            frameKey = location.frameKey
            return try StoredRow(entry, entity: entity, id: id, location, found)
        }
        return nil
    }
}
