import DaybookBytes
import DaybookIndex
import DaybookLog
import DaybookPages

/// Reads the keys of an entity's living objects, some at a time in the order of their ids.
struct IndexBuilder {
    /// The entries of some objects.
    struct Slice {
        var keys = KeyChanges()
        /// The id to go on with; ``IndexState/complete`` at the end.
        var nextId = IndexState.complete
        var objectCount = 0
    }

    private let log: Log
    private let layouts: LayoutLookUp
    private(set) var reader: KeyReader
    // The rows of objects that were written together stand in one frame.
    private var frame: InflatedFrame?
    private var frameKey: UInt64 = .max

    init(_ plan: IndexPlan, _ log: Log, layouts: @escaping LayoutLookUp) {
        self.log = log
        self.layouts = layouts
        reader = KeyReader(plan)
    }

    /// The entries in `indexes` of the objects from `id` on, after a look at up to `limit` ids.
    mutating func slice(
        _ indexes: [IndexPlan.Index], from id: UInt64, limit: Int, in trees: PageReader
    ) throws(DaybookError) -> Slice {
        var slice = Slice()
        var cursor = try trees.words(IndexTree.objects(of: reader.plan.entity), from: id)
        for _ in 0..<limit {
            guard let (id, value) = try cursor.next() else { return slice }
            slice.nextId = id + 1
            let entry = ObjectEntry(value)
            if entry.isRemoved { continue }
            let keys = try keys(of: entry, id, in: indexes)
            slice.keys.replace(nil, by: keys, in: indexes, id: id)
            slice.objectCount += 1
        }
        if try cursor.next() == nil { slice.nextId = IndexState.complete }
        return slice
    }

    /// The keys of an object's row; nil where the entry is of a removed one.
    mutating func keys(
        of entry: ObjectEntry?, _ id: UInt64, in indexes: [IndexPlan.Index]
    ) throws(DaybookError) -> [IndexKey]? {
        guard let entry, !entry.isRemoved else { return nil }
        let location = Location(rawValue: entry.location)
        if frame == nil || frameKey != location.frameKey {
            frame = try log.frame(at: location)
            frameKey = location.frameKey
        }
        guard let frame else { return nil }
        let row = try StoredRow(entry, entity: reader.plan.entity, id: id, location, frame)
        return try reader.keys(of: row.bytes, layout: row.layout, in: indexes, layouts)
    }
}

extension Schema {
    /// The row layout of that number. Throws `.corruption` if the log never defined it.
    func rowLayout(_ id: UInt32) throws(DaybookError) -> RowLayout {
        guard let layout = layout(id) else { throw SchemaTable.unknownLayout(id) }
        return RowLayout(layout)
    }

    /// The indexes that an entity's newest layout asks for; nil where it asks for none.
    func indexPlan(_ entity: UInt32) throws(DaybookError) -> IndexPlan? {
        guard let layout = currentLayout(ofEntity: entity), !layout.indexes.isEmpty else {
            return nil
        }
        return try IndexPlan(layout)
    }
}
