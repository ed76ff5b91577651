import DaybookBytes
import DaybookEngine
import DaybookLog
import DaybookPages
import DaybookRecords

/// The state of a repaired log, read back from the new files, and its contradictions: links to lost
/// objects, and unique values of outdated objects.
struct RepairedState {
    private var replay: SteppedReplay
    private let log: Log
    private(set) var lostObjects: [RepairReport.LostObject] = []
    private(set) var lostLinks: [RepairReport.LostLink] = []
    /// The records that remove the contradictions.
    private(set) var links: [(relation: UInt32, source: UInt64, target: UInt64)] = []
    private(set) var elements: [ListEntry] = []
    private(set) var objects: [(entity: UInt32, id: UInt64, previous: UInt64)] = []
    private var removed: Set<ObjectName> = []
    /// The lowest ids that may be assigned: lost objects had lower ones.
    private(set) var nextIds: [UInt32: UInt64] = [:]

    init(
        _ log: Log, _ entries: [SegmentEntry], _ control: OperationControl
    ) throws(DaybookError) {
        self.log = log
        replay = SteppedReplay(log, control)
        try add(entries)
    }

    var schema: Schema { replay.schema }

    mutating func add(_ entries: [SegmentEntry]) throws(DaybookError) {
        for entry in entries { try replay.advance(over: entry) }
    }

    func objectCount() throws(DaybookError) -> Int {
        try replay.space.withPinned { reader throws(DaybookError) in
            var count = 0
            for entity in schema.entities { count += try reader.objectCount(entity.id) }
            return count
        }
    }

    /// Finds the objects of an intact snapshot that are missing or older in the new store, and
    /// objects that are removed in the snapshot.
    mutating func compare(_ snapshot: SnapshotStore.Candidate) throws(DaybookError) {
        let space = replay.space
        try space.withPinned { state throws(DaybookError) in
            try snapshot.space.withPinned { reader throws(DaybookError) in
                for entity in snapshot.metadata.schema.entities {
                    let tree = IndexTree.objects(of: entity.id)
                    let next = try reader.get(IndexTree.entities, UInt64(entity.id))?.first ?? 1
                    nextIds[entity.id] = max(nextIds[entity.id] ?? 1, next)
                    var cursor = try reader.words(tree)
                    while let found = try cursor.next() {
                        let known = ObjectEntry(found.value)
                        let kept = try state.get(tree, found.key).map { ObjectEntry($0) }
                        let keptSequence = kept?.sequence ?? 0
                        guard keptSequence < known.sequence else { continue }
                        if known.isRemoved {
                            // The removal is lost in the log, but the snapshot proves it.
                            if let kept, !kept.isRemoved {
                                remove(entity.id, found.key, kept.sequence)
                            }
                            continue
                        }
                        lostObjects.append(
                            RepairReport.LostObject(
                                entity: entity.name, id: found.key, lostSequence: known.sequence,
                                keptSequence: kept.flatMap { $0.isRemoved ? nil : $0.sequence }))
                    }
                }
            }
        }
    }

    /// Finds contradictions.
    mutating func findContradictions() throws(DaybookError) {
        let (space, schema, log) = (replay.space, replay.schema, log)
        try space.withPinned { reader throws(DaybookError) in
            for entity in schema.entities {
                let outdated = try DuplicateKeys(of: entity, in: reader, log, schema).objects
                for (id, sequence) in outdated.sorted(by: { $0.key < $1.key }) {
                    remove(entity.id, id, sequence)
                    note(entity.id, id, sequence)
                }
            }
            for relation in schema.relations { try check(relation, reader) }
        }
    }

    private mutating func check(
        _ relation: Schema.Relation, _ reader: PageReader
    ) throws(DaybookError) {
        if relation.type.hasPositions {
            var cursor = try reader.bytes(IndexTree.list(of: relation.relationID))
            while let element = try cursor.next() {
                let source = element.key.prefix(ListEntry.prefixLength).reduce(0 as UInt64) {
                    $0 << 8 | UInt64($1)
                }
                guard try isLost(source, element.value, relation, reader) else { continue }
                elements.append(
                    ListEntry(
                        relation: relation.relationID, source: source, target: element.value,
                        position: Array(element.key.dropFirst(ListEntry.prefixLength))))
            }
            return
        }
        var cursor = try reader.pairs(IndexTree.links(of: relation.relationID))
        while let link = try cursor.next() {
            guard try isLost(link.first, link.second, relation, reader) else { continue }
            links.append((relation.relationID, link.first, link.second))
        }
    }

    /// Whether an object at an end of a link is missing. Notes the link and the objects.
    private mutating func isLost(
        _ source: UInt64, _ target: UInt64, _ relation: Schema.Relation, _ reader: PageReader
    ) throws(DaybookError) -> Bool {
        var isLost = false
        for (entity, id) in [(relation.entityID, source), (relation.targetEntityID, target)] {
            let isRemoved = removed.contains(ObjectName(entity: entity, id: id))
            let exists = try reader.object(entity, id) != nil
            guard isRemoved || !exists else { continue }
            isLost = true
            if !isRemoved { note(entity, id, nil) }
        }
        if isLost {
            lostLinks.append(
                RepairReport.LostLink(
                    relation: schema.relationName(relation.relationID), source: source,
                    target: target))
        }
        return isLost
    }

    private mutating func remove(_ entity: UInt32, _ id: UInt64, _ previous: UInt64) {
        guard removed.insert(ObjectName(entity: entity, id: id)).inserted else { return }
        objects.append((entity, id, previous))
    }

    private mutating func note(_ entity: UInt32, _ id: UInt64, _ kept: UInt64?) {
        let name = schema.entity(entity)?.name ?? "entity \(entity)"
        nextIds[entity] = max(nextIds[entity] ?? 1, id + 1)
        guard !lostObjects.contains(where: { $0.entity == name && $0.id == id }) else { return }
        lostObjects.append(
            RepairReport.LostObject(
                entity: name, id: id, lostSequence: nil, keptSequence: nil))
    }
}
