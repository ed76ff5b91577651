import DaybookBytes
import DaybookEngine
import DaybookRecords
import DaybookLog
import DaybookPages

/// The state of a loaded log, read back from the files before they become a store, and checked
/// against the rules of every store.
struct LoadedState {
    private let replay: SteppedReplay

    /// Reads the segments back. Cost: one read of the log, and memory for the trees.
    init(
        _ log: Log, _ entries: [SegmentEntry], _ control: OperationControl
    ) throws(DaybookError) {
        var replay = SteppedReplay(log, control)
        for entry in entries { try replay.advance(over: entry) }
        self.replay = replay
    }

    private var schema: Schema { replay.schema }

    /// Throws `.dumpInvalid` if the state breaks a rule.
    func check(_ counts: DumpCounts, isHistory: Bool) throws(DaybookError) {
        try replay.space.withPinned { reader throws(DaybookError) in
            var objectCount = 0
            for entity in schema.entities { objectCount += try reader.objectCount(entity.id) }
            guard isHistory || objectCount == counts.objects else {
                throw DaybookError(
                    .corruption,
                    "\(counts.objects) objects were loaded, but \(objectCount) were read back: the"
                        + " disk or the file system loses data. Nothing was loaded.")
            }
            for entity in schema.entities { try checkUnique(entity, reader) }
            for relation in schema.relations { try checkEnds(of: relation, reader) }
        }
    }

    /// Each object has one entry in a unique index; objects with equal values share an entry.
    private func checkUnique(
        _ entity: Schema.Entity, _ reader: PageReader
    ) throws(DaybookError) {
        guard let layout = schema.currentLayout(ofEntity: entity.id), layout.kind == .object
        else { return }
        let plan = try IndexPlan(layout)
        let objectCount = try reader.objectCount(entity.id)
        for index in plan.uniqueIndexes {
            let count = try reader.count(index.tree)
            guard count != objectCount else { continue }
            let properties = plan.columnNames(index)
            throw DaybookError(
                .dumpInvalid,
                "Objects of \(entity.name) have the same values of '\(properties)', which are"
                    + " unique: \(objectCount) objects have \(count). Nothing was loaded.",
                details: ["entity": entity.name, "property": properties])
        }
    }

    /// Throws `.dumpInvalid` unless the target of each link exists.
    private func checkEnds(
        of relation: Schema.Relation, _ reader: PageReader
    ) throws(DaybookError) {
        if relation.type.hasPositions {
            var elements = try reader.bytes(IndexTree.listBacklinks(of: relation.relationID))
            while let element = try elements.next() {
                let target = element.key.prefix(ListEntry.prefixLength).reduce(0 as UInt64) {
                    $0 << 8 | UInt64($1)
                }
                try require(target, of: relation, from: element.value, reader)
            }
            return
        }
        var links = try reader.pairs(IndexTree.links(of: relation.relationID))
        while let link = try links.next() {
            try require(link.second, of: relation, from: link.first, reader)
        }
    }

    private func require(
        _ target: UInt64, of relation: Schema.Relation, from source: UInt64, _ reader: PageReader
    ) throws(DaybookError) {
        guard try reader.object(relation.targetEntityID, target) == nil else { return }
        let name = schema.relationName(relation.relationID)
        throw DaybookError(
            .dumpInvalid,
            "'\(name)' of object \(source) refers to object \(target), which does not exist."
                + " Nothing was loaded.",
            details: ["relation": name, "id": String(source), "target": String(target)])
    }
}
