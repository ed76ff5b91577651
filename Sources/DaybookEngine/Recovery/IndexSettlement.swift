import DaybookBytes
import DaybookRecords
import DaybookLog
import DaybookPages

/// Brings the indexes of the properties up to the objects' trees after a run of transactions, from
/// the rows in the log: what was changed, where that is known, else all living objects.
///
/// The outcome is what commits would have come to one by one; complete, save where somebody else
/// goes on with the building, and for objects whose rows cannot be read: their indexes say so.
struct IndexSettlement {
    /// How many ids are looked at between two changes of the trees.
    private static let sliceLength = 4096

    private let log: Log
    private let space: PageSpace
    private let schema: Schema
    /// Whether indexes that need not be complete are left to somebody else.
    private let leavesBuilding: Bool
    /// The layouts that have indexes.
    private let layouts: [EntityLayout]

    /// - Parameter layouts: which indexes there shall be; nil for those of the newest layouts.
    init(
        _ log: Log, _ space: PageSpace, _ schema: Schema, layouts: [EntityLayout]? = nil,
        leavesBuilding: Bool = false
    ) {
        self.log = log
        self.space = space
        self.schema = schema
        self.leavesBuilding = leavesBuilding
        self.layouts =
            layouts
            ?? schema.entities.compactMap { entity in
                schema.currentLayout(ofEntity: entity.id).flatMap { $0.indexes.isEmpty ? nil : $0 }
            }
    }

    /// Whether there is anything to do.
    func isDue(_ fold: IndexFold, _ touched: TouchedObjects) -> Bool {
        let wanted = Set(layouts.flatMap(\.indexes).map(\.indexID))
        return !touched.isEmpty || wanted != Set(fold.indexes.keys)
            || !fold.incompleteIndexes.isEmpty
    }

    /// Changes the trees, between `begin` and `end` of the space. Returns how many objects were
    /// looked at. `isCancelled` is asked now and then.
    func run(
        _ fold: inout IndexFold, _ touched: TouchedObjects, isCancelled: () -> Bool
    ) throws(DaybookError) -> Int {
        let entities = Set(fold.indexes.values.map(\.entity)).union(layouts.map(\.entityID))
        let wanted = Dictionary(
            layouts.map { ($0.entityID, $0) }, uniquingKeysWith: { first, _ in first })
        for entity in entities.sorted() {
            guard let layout = wanted[entity] ?? schema.currentLayout(ofEntity: entity) else {
                continue
            }
            try fold.adopt(layout, to: space)
        }
        var count = 0
        for layout in layouts {
            let isDone = layout.indexes.allSatisfy {
                fold.indexes[$0.indexID]?.isComplete ?? false
            }
            if isDone, !touched.contains(entity: layout.entityID) { continue }
            let plan = try IndexPlan(layout)
            let schema = schema
            var builder = IndexBuilder(plan, log) { layout throws(DaybookError) in
                try schema.rowLayout(layout)
            }
            count += try catchUp(&builder, &fold, touched, isCancelled)
            if !leavesBuilding { try retry(&builder, &fold, isCancelled) }
            count += try build(&builder, &fold, isCancelled)
        }
        return count
    }

    /// Changes the entries of the objects that were touched.
    private func catchUp(
        _ builder: inout IndexBuilder, _ fold: inout IndexFold, _ touched: TouchedObjects,
        _ isCancelled: () -> Bool
    ) throws(DaybookError) -> Int {
        let plan = builder.reader.plan
        if touched.overflowed.contains(plan.entity) {
            for index in plan.indexes { try fold.reset(index.indexID, in: space) }
            return 0
        }
        let objects = touched.objects(of: plan.entity)
        var keys = KeyChanges(isPart: true)
        for (id, before) in objects {
            let now = try space.working.get(IndexTree.objects(of: plan.entity), id)
            try builder.note(id, from: before, to: now.map { ObjectEntry($0) }, fold, in: &keys)
            guard keys.byteCount >= IndexBuilder.keyBytesMax else { continue }
            if isCancelled() { throw .interrupted }
            try fold.apply(keys, to: space)
            keys = KeyChanges(isPart: true)
        }
        try fold.apply(keys, to: space)
        return objects.count
    }

    /// Looks again at objects that could not be read.
    private func retry(
        _ builder: inout IndexBuilder, _ fold: inout IndexFold, _ isCancelled: () -> Bool
    ) throws(DaybookError) {
        var rest = fold.unreadObjects(of: builder.reader.plan)[...]
        while !rest.isEmpty {
            if isCancelled() { throw .interrupted }
            let keys = try builder.retry(&rest, Self.sliceLength, fold, in: space.working)
            try fold.apply(keys, to: space)
        }
    }

    /// Builds what is not built to its end, and must be.
    private func build(
        _ builder: inout IndexBuilder, _ fold: inout IndexFold, _ isCancelled: () -> Bool
    ) throws(DaybookError) -> Int {
        var count = 0
        let all = builder.reader.plan.indexes
        let due = leavesBuilding ? all.filter { $0.form == .unique } : all
        while let (indexes, nextId) = fold.nextUnbuilt(of: due) {
            if isCancelled() { throw .interrupted }
            let slice = try builder.slice(
                indexes, from: nextId, limit: Self.sliceLength, in: space.working)
            try fold.add(slice, to: indexes, of: builder.reader.plan, in: space)
            count += slice.objectCount
        }
        return count
    }
}

extension IndexFold {
    /// Those of an entity's indexes that are built next, and where: all that are equally far.
    func nextUnbuilt(
        of all: [IndexPlan.Index]
    ) -> (indexes: [IndexPlan.Index], nextId: UInt64)? {
        let ids = all.compactMap { indexes[$0.indexID]?.nextId }
        guard let lowest = ids.min(), lowest != IndexState.complete else { return nil }
        return (all.filter { indexes[$0.indexID]?.nextId == lowest }, lowest)
    }

    /// The objects that any of an entity's indexes lacks, in the order of their ids.
    func unreadObjects(of plan: IndexPlan) -> [UInt64] {
        var ids: Set<UInt64> = []
        for index in plan.indexes { ids.formUnion(indexes[index.indexID]?.unread ?? []) }
        return ids.sorted()
    }

    /// Adds the entries of a slice.
    mutating func add(
        _ slice: IndexBuilder.Slice, to indexes: [IndexPlan.Index], of plan: IndexPlan,
        in space: PageSpace
    ) throws(DaybookError) {
        for index in indexes {
            try setProgress(
                of: index.indexID, to: slice.nextId, entity: plan.entity, in: space)
        }
        try apply(slice.keys, to: space)
    }
}
