package import DaybookBytes
import DaybookIndex
import DaybookLog
import DaybookPages

/// Walks an entity's living objects in the order of their ids, one row at a time. Rows that were
/// written together share a frame, which is looked up once for the run of them.
package struct RowScan {
    private let view: ReadView
    private let log: Log
    private let entity: UInt32
    private var cursor: WordCursor
    private var nextKey: UInt64
    private var frame: InflatedFrame?
    private var frameKey: UInt64 = .max

    init(
        _ view: ReadView, _ log: Log, _ entity: UInt32, from id: UInt64 = 0
    ) throws(DaybookError) {
        self.view = view
        self.log = log
        self.entity = entity
        nextKey = id
        cursor = try Self.cursor(view, entity, from: id)
    }

    private static func cursor(
        _ view: ReadView, _ entity: UInt32, from id: UInt64
    ) throws(DaybookError) -> WordCursor {
        try view.reading { reader throws(DaybookError) in
            try reader.words(IndexTree.objects(of: entity), from: id)
        }
    }

    /// The next entry. Where a page cannot be read, the walk goes on in the mended version.
    private mutating func nextEntry() throws(DaybookError) -> (key: UInt64, value: WordValue)? {
        var found: (key: UInt64, value: WordValue)?
        do throws(DaybookError) {
            found = try cursor.next()
        } catch  where error.isDamagedSnapshot {
            (cursor, found) = try view.reading { reader throws(DaybookError) in
                var cursor = try reader.words(IndexTree.objects(of: entity), from: nextKey)
                let next = try cursor.next()
                return (cursor, next)
            }
        }
        if let found { nextKey = found.key &+ 1 }
        return found
    }

    /// The next object's row, or nil after the last.
    package mutating func next() throws(DaybookError) -> StoredRow? {
        while let (id, value) = try nextEntry() {
            let entry = ObjectEntry(value)
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
