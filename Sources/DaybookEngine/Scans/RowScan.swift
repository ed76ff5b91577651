package import DaybookBytes
import DaybookRecords
import DaybookLog
import DaybookPages

/// Iterates over the rows of an entity's objects, ordered by id. Rows that were written together
/// share a frame, which is looked up once for the run.
package struct RowScan {
    private let log: Log
    private let entity: UInt32
    private var walk: EntryCursor<ReadView>
    /// The collected entries: ``count`` of them, of which ``place`` were returned.
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

    /// The next entry, which may be of a removed object.
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
