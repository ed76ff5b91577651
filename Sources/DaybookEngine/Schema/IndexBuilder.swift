package import DaybookBytes
import DaybookRecords
import DaybookLog
import DaybookPages

/// Reads the keys of an entity's objects in parts, ordered by id.
struct IndexBuilder {
    /// The entries of some objects.
    struct Slice {
        var keys = KeyChanges()
        /// The next id to read; ``IndexState/complete`` at the end.
        var nextId = IndexState.complete
        var objectCount = 0
    }

    /// The number of bytes of keys to collect between two changes of the trees. The keys of one
    /// object may exceed it: a single key may have 16 MiB.
    static let keyBytesMax = 8 << 20

    private let log: Log
    private let layouts: LayoutLookUp
    private(set) var reader: KeyReader
    // The rows of objects that were written together are in one frame.
    private var frame: InflatedFrame?
    private var frameKey: UInt64 = .max
    /// The last frame that could not be read, so that it is read once and not for each object.
    private var damage: (frameKey: UInt64, error: DaybookError)?

    init(_ plan: IndexPlan, _ log: Log, layouts: @escaping LayoutLookUp) {
        self.log = log
        self.layouts = layouts
        reader = KeyReader(plan)
    }

    /// The entries in `indexes` of the objects from `id` on; examines up to `limit` ids. Objects
    /// whose rows cannot be read are recorded as missing.
    mutating func slice(
        _ indexes: [IndexPlan.Index], from id: UInt64, limit: Int, in trees: PageReader
    ) throws(DaybookError) -> Slice {
        var slice = Slice()
        var cursor = try trees.words(IndexTree.objects(of: reader.plan.entity), from: id)
        var count = 0
        while count < limit, slice.keys.byteCount < Self.keyBytesMax,
            let (id, value) = try cursor.next()
        {
            count += 1
            slice.nextId = id + 1
            let entry = ObjectEntry(value)
            if entry.isRemoved { continue }
            slice.objectCount += 1
            do throws(DaybookError) {
                let keys = try keys(of: entry, id, in: indexes)
                slice.keys.replace(nil, by: keys, in: indexes, id: id)
            } catch  where error.isUnreadableRow {
                slice.keys.miss(id, in: indexes)
            }
        }
        if try cursor.next() == nil { slice.nextId = IndexState.complete }
        return slice
    }

    /// Adds the changes of an entity's indexes that follow from a change of an object's row;
    /// `applied` contains the states of the indexes. If a row cannot be read, the indexes lack the
    /// object, or its entries must be searched.
    mutating func note(
        _ id: UInt64, from before: ObjectEntry?, to now: ObjectEntry?, _ applied: AppliedState,
        in changes: inout KeyChanges
    ) throws(DaybookError) {
        let indexes = reader.plan.indexes
        var old: [IndexKey]?
        var isForgotten = indexes.contains {
            applied.indexes[$0.indexID]?.unread.contains(id) ?? false
        }
        do throws(DaybookError) {
            if !isForgotten { old = try keys(of: before, id, in: indexes) }
        } catch  where error.isUnreadableRow {
            isForgotten = true
        }
        if isForgotten { changes.forget(id, in: indexes) }
        do throws(DaybookError) {
            changes.replace(old, by: try keys(of: now, id, in: indexes), in: indexes, id: id)
        } catch  where error.isUnreadableRow {
            changes.replace(old, by: nil, in: indexes, id: id)
            changes.miss(id, in: indexes)
        }
    }

    /// The entries of objects that some indexes lack and whose rows are readable now. Removes up to
    /// `limit` ids from `ids` and examines them.
    mutating func retry(
        _ ids: inout ArraySlice<UInt64>, _ limit: Int, _ applied: AppliedState, in trees: PageReader
    ) throws(DaybookError) -> KeyChanges {
        var changes = KeyChanges()
        var count = 0
        while count < limit, changes.byteCount < Self.keyBytesMax, let id = ids.popFirst() {
            count += 1
            let lacking = reader.plan.indexes.filter {
                applied.indexes[$0.indexID]?.unread.contains(id) ?? false
            }
            let entry = try trees.get(IndexTree.objects(of: reader.plan.entity), id)
            do throws(DaybookError) {
                let keys = try keys(of: entry.map { ObjectEntry($0) }, id, in: lacking)
                changes.forget(id, in: lacking)
                changes.replace(nil, by: keys, in: lacking, id: id)
            } catch  where error.isUnreadableRow {}
        }
        return changes
    }

    /// The keys of an object's row; nil for a missing or removed object.
    private mutating func keys(
        of entry: ObjectEntry?, _ id: UInt64, in indexes: [IndexPlan.Index]
    ) throws(DaybookError) -> [IndexKey]? {
        guard let entry, !entry.isRemoved else { return nil }
        let location = Location(rawValue: entry.location)
        let frame = try frame(at: location)
        let row = try StoredRow(entry, entity: reader.plan.entity, id: id, location, frame)
        return try reader.keys(of: row.bytes, layout: row.layout, in: indexes, layouts)
    }

    private mutating func frame(at location: Location) throws(DaybookError) -> InflatedFrame {
        if let frame, frameKey == location.frameKey { return frame }
        if let damage, damage.frameKey == location.frameKey { throw damage.error }
        do throws(DaybookError) {
            let read = try read(location)
            frame = read
            frameKey = location.frameKey
            return read
        } catch {
            damage = (location.frameKey, error)
            throw error
        }
    }

    /// Retries a failed read immediately. Otherwise a transient failure of the disk would exclude
    /// all objects of the frame until the next retry.
    private func read(_ location: Location) throws(DaybookError) -> InflatedFrame {
        do throws(DaybookError) {
            return try log.frame(at: location)
        } catch  where error.code == .inputOutput {
            return try log.frame(at: location)
        }
    }
}

extension DaybookError {
    /// Whether stored bytes differ from the written bytes, or cannot be read at all.
    package var isDamage: Bool { code == .corruption || code == .inputOutput }

    /// Whether a row cannot be read, temporarily or permanently. Other objects are not affected.
    var isUnreadableRow: Bool { isDamage && !isDamagedSnapshot }

    /// Whether a row differs from the written row. Reading again does not help.
    var isDamagedRow: Bool { code == .corruption && !isDamagedSnapshot }
}

extension Schema {
    /// The row layout with this number. Throws `.corruption` if the log never defined it.
    func rowLayout(_ id: UInt32) throws(DaybookError) -> RowLayout {
        guard let layout = layout(id) else { throw SchemaTable.unknownLayout(id) }
        return RowLayout(layout)
    }

    /// The indexes of an entity's newest layout; nil if it has none.
    func indexPlan(_ entity: UInt32) throws(DaybookError) -> IndexPlan? {
        guard let layout = currentLayout(ofEntity: entity), !layout.indexes.isEmpty else {
            return nil
        }
        return try IndexPlan(layout)
    }
}
