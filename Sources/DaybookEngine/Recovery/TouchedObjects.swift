import DaybookBytes
import DaybookRecords
import DaybookPages

/// The objects of indexed entities that a run of transactions changes, with their index entries
/// before the run.
struct TouchedObjects {
    /// The number of objects above which rebuilding the indexes is cheaper.
    private static let countMax = 1 << 19

    private let entities: Set<UInt32>
    /// The entries before the run, by entity, so that looking up one entity's objects is cheap.
    private var before: [UInt32: [UInt64: ObjectEntry?]] = [:]
    private var count = 0
    /// The entities with too many changed objects to record them.
    private(set) var overflowed: Set<UInt32> = []

    /// Records changes of entities that have indexes now. Indexes that are added later are built
    /// from all living objects.
    init(_ applied: AppliedState) { entities = Set(applied.indexes.values.map(\.entity)) }

    var isEmpty: Bool { before.isEmpty && overflowed.isEmpty }

    /// Records changes that will be applied to the trees of `reader`.
    mutating func note(
        _ changes: [IndexChange], in reader: PageReader
    ) throws(DaybookError) {
        guard !entities.isEmpty else { return }
        for change in changes {
            switch change {
            case .put(let entity, let id, _), .remove(let entity, let id, _):
                guard entities.contains(entity), !overflowed.contains(entity) else { continue }
                guard before[entity]?[id] == nil else { continue }
                before[entity, default: [:]][id] = .some(
                    try reader.get(IndexTree.objects(of: entity), id).map { ObjectEntry($0) })
                count += 1
                if count > Self.countMax { overflow(entity) }
            case .link, .unlink, .listInsert, .listRemove, .reserve, .erasure: break
            }
        }
    }

    private mutating func overflow(_ entity: UInt32) {
        overflowed.insert(entity)
        count -= before.removeValue(forKey: entity)?.count ?? 0
    }

    /// Whether an object of an entity was changed.
    func contains(entity: UInt32) -> Bool {
        before[entity] != nil || overflowed.contains(entity)
    }

    /// The recorded objects of an entity, in the order of their ids.
    func objects(of entity: UInt32) -> [(id: UInt64, entry: ObjectEntry?)] {
        (before[entity] ?? [:]).map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }
    }
}
