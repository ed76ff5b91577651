import DaybookBytes
import DaybookRecords
import DaybookLog
import DaybookPages

/// Brings the property indexes up to date after a replay, from the rows in the log: of the changed
/// objects if they are known, else of all living objects.
///
/// The result equals the result of the single commits. An index may stay incomplete if the
/// background builds it, or if rows cannot be read; its state then records that.
struct IndexCatchUp {
    /// The number of ids between two changes of the trees.
    private static let sliceLength = 4096

    private let log: Log
    private let space: PageSpace
    private let schema: Schema
    /// Whether the background builds the indexes that need not be complete.
    private let leavesBuilding: Bool
    /// The layouts that have indexes.
    private let layouts: [EntityLayout]

    /// - Parameter layouts: the layouts with the wanted indexes; nil for the newest layouts.
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
    func isDue(_ applied: AppliedState, _ touched: TouchedObjects) -> Bool {
        let wanted = Set(layouts.flatMap(\.indexes).map(\.indexID))
        return !touched.isEmpty || wanted != Set(applied.indexes.keys)
            || !applied.incompleteIndexes.isEmpty
    }

    /// Changes the trees, between `begin` and `end` of the space. Returns the number of visited
    /// objects. `isCancelled` is called for each slice.
    func run(
        _ applied: inout AppliedState, _ touched: TouchedObjects, isCancelled: () -> Bool
    ) throws(DaybookError) -> Int {
        let entities = Set(applied.indexes.values.map(\.entity)).union(layouts.map(\.entityID))
        let wanted = Dictionary(
            layouts.map { ($0.entityID, $0) }, uniquingKeysWith: { first, _ in first })
        for entity in entities.sorted() {
            guard let layout = wanted[entity] ?? schema.currentLayout(ofEntity: entity) else {
                continue
            }
            try applied.adopt(layout, to: space)
        }
        var count = 0
        for layout in layouts {
            let isDone = layout.indexes.allSatisfy {
                applied.indexes[$0.indexID]?.isComplete ?? false
            }
            if isDone, !touched.contains(entity: layout.entityID) { continue }
            let plan = try IndexPlan(layout)
            let schema = schema
            var builder = IndexBuilder(plan, log) { layout throws(DaybookError) in
                try schema.rowLayout(layout)
            }
            count += try catchUp(&builder, &applied, touched, isCancelled)
            if !leavesBuilding { try retry(&builder, &applied, isCancelled) }
            count += try build(&builder, &applied, isCancelled)
        }
        return count
    }

    /// Changes the entries of the objects that were touched.
    private func catchUp(
        _ builder: inout IndexBuilder, _ applied: inout AppliedState, _ touched: TouchedObjects,
        _ isCancelled: () -> Bool
    ) throws(DaybookError) -> Int {
        let plan = builder.reader.plan
        if touched.overflowed.contains(plan.entity) {
            for index in plan.indexes { try applied.reset(index.indexID, in: space) }
            return 0
        }
        let objects = touched.objects(of: plan.entity)
        var keys = KeyChanges(isPart: true)
        for (id, before) in objects {
            let now = try space.working.get(IndexTree.objects(of: plan.entity), id)
            try builder.note(id, from: before, to: now.map { ObjectEntry($0) }, applied, in: &keys)
            guard keys.byteCount >= IndexBuilder.keyBytesMax else { continue }
            if isCancelled() { throw .interrupted }
            try applied.apply(keys, to: space)
            keys = KeyChanges(isPart: true)
        }
        try applied.apply(keys, to: space)
        return objects.count
    }

    /// Reads again the objects whose rows could not be read.
    private func retry(
        _ builder: inout IndexBuilder, _ applied: inout AppliedState, _ isCancelled: () -> Bool
    ) throws(DaybookError) {
        var rest = applied.unreadObjects(of: builder.reader.plan)[...]
        while !rest.isEmpty {
            if isCancelled() { throw .interrupted }
            let keys = try builder.retry(&rest, Self.sliceLength, applied, in: space.working)
            try applied.apply(keys, to: space)
        }
    }

    /// Builds the incomplete indexes that must be complete.
    private func build(
        _ builder: inout IndexBuilder, _ applied: inout AppliedState, _ isCancelled: () -> Bool
    ) throws(DaybookError) -> Int {
        var count = 0
        let all = builder.reader.plan.indexes
        let due = leavesBuilding ? all.filter { $0.form == .unique } : all
        while let (indexes, nextId) = applied.nextUnbuilt(of: due) {
            if isCancelled() { throw .interrupted }
            let slice = try builder.slice(
                indexes, from: nextId, limit: Self.sliceLength, in: space.working)
            try applied.add(slice, to: indexes, of: builder.reader.plan, in: space)
            count += slice.objectCount
        }
        return count
    }
}

extension AppliedState {
    /// Returns the indexes of an entity that are built next, and their common next id: those with
    /// the least progress.
    func nextUnbuilt(
        of all: [IndexPlan.Index]
    ) -> (indexes: [IndexPlan.Index], nextId: UInt64)? {
        let ids = all.compactMap { indexes[$0.indexID]?.nextId }
        guard let lowest = ids.min(), lowest != IndexState.complete else { return nil }
        return (all.filter { indexes[$0.indexID]?.nextId == lowest }, lowest)
    }

    /// Returns the objects that are missing in any index of an entity, in the order of their ids.
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
