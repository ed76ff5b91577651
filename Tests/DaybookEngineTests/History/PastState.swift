import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
import DaybookPages
import DaybookTestSupport

/// The complete content of one version of a store, in plain collections.
struct PastState: Equatable {
    struct Row: Equatable {
        var sequence: UInt64
        var layout: UInt32
        var bytes: [UInt8]
    }

    var sequence: UInt64
    var counts: [UInt32: Int] = [:]
    var objects: [UInt32: [UInt64: Row]] = [:]
    /// The links and lists, by tree.
    var links: [TreeID: [String]] = [:]
    /// The entries of the complete indexes, and the lengths of the texts in text indexes.
    var indexes: [UInt32: [String]] = [:]

    init(_ view: ReadView, _ schema: Schema) throws {
        sequence = try view.sequence
        for entity in schema.entities {
            counts[entity.id] = try view.count(entity.id)
            var scan = view.scan(entity.id)
            var rows: [UInt64: Row] = [:]
            while let row = try scan.next() {
                rows[row.id] = Row(
                    sequence: row.sequence, layout: row.layout, bytes: row.bytes.array)
            }
            objects[entity.id] = rows
        }
        let held = view.hold()
        defer { withExtendedLifetime(held) {} }
        let trees = held.reader
        for tree in try trees.trees()
        where tree >= IndexTree.links(of: 0) && tree < IndexTree.texts(of: 0) {
            let entries = try Self.entries(of: tree, in: trees)
            if tree > IndexTree.index(0), tree < IndexTree.list(of: 0) {
                let index = tree - IndexTree.index(0)
                if try trees.isComplete(index: index) { indexes[index] = entries }
            } else {
                links[tree] = entries
            }
        }
        // An index without entries has no tree.
        for index in Set(schema.layouts.flatMap(\.indexes).map(\.indexID)) {
            guard indexes[index] == nil, try trees.isComplete(index: index) else { continue }
            indexes[index] = []
        }
        for index in indexes.keys {
            var lengths = try trees.words(IndexTree.texts(of: index))
            while let entry = try lengths.next() {
                indexes[index]?.append("\(entry.key) \(entry.value)")
            }
        }
    }

    private static func entries(of tree: TreeID, in reader: PageReader) throws -> [String] {
        var entries: [String] = []
        // Opening a tree of the other kind throws.
        if var cursor = try? reader.pairs(tree) {
            while let pair = try cursor.next() { entries.append("\(pair)") }
        } else {
            var cursor = try reader.bytes(tree)
            while let entry = try cursor.next() { entries.append("\(entry.key) \(entry.value)") }
        }
        return entries
    }

    /// The state without the indexes.
    var contents: PastState {
        var state = self
        state.indexes = [:]
        return state
    }

    /// Throws if the states differ. Compares only indexes that both have.
    func demandEqual(_ other: PastState, _ what: String) throws {
        try demand(sequence == other.sequence, "\(what): the sequence \(other.sequence)")
        try demand(counts == other.counts, "\(what): counts \(counts), not \(other.counts)")
        try demand(objects == other.objects, "\(what): \(objects), not \(other.objects)")
        try demand(links == other.links, "\(what): links \(links), not \(other.links)")
        for (index, entries) in indexes {
            guard let others = other.indexes[index] else { continue }
            try demand(entries == others, "\(what): index \(index): \(entries), not \(others)")
        }
    }
}

extension Engine {
    /// Compares every available version, reverted and replayed, with a replay of the log. Then
    /// visits the versions in another order, so that kept ones are moved far and near, in place and
    /// as forks.
    func demandPast() throws {
        let newest = try visibleSequence
        let floor = max(historyFloor, 1)
        guard floor <= newest else { return }
        let states = try (floor...newest).map { try demandPast(at: $0) }
        let held = try view(at: newest - (newest - floor) / 2)
        for moveBytesMax in [pastVersions.withLock { $0.moveBytesMax }, -1] {
            pastVersions.withLock { $0.moveBytesMax = moveBytesMax }
            for place in states.indices {
                let index = place * 7 % states.count
                let sequence = floor + UInt64(index)
                try states[index].demandEqual(
                    try PastState(view(at: sequence), schemas.schema), "moved to \(sequence)")
            }
        }
        let middle = try held.sequence
        try states[Int(middle - floor)].demandEqual(
            try PastState(held, schemas.schema), "held at \(middle)")
    }

    @discardableResult
    func demandPast(at sequence: UInt64) throws -> PastState {
        let schema = schemas.schema
        let replayed = try replayedState(
            until: sequence, keepsIndexes: true, OperationControl())
        let expected = try PastState(replayed.view, schema)
        let rewound = try PastState(pastView(at: sequence, by: .rewind), schema)
        let folded = try PastState(pastView(at: sequence, by: .replay), schema)
        try expected.demandEqual(rewound, "rewound to \(sequence)")
        try expected.demandEqual(folded, "folded to \(sequence)")
        try folded.demandEqual(rewound, "folded and rewound to \(sequence)")
        try demand(
            try PastState(view(at: sequence), schema).contents == expected.contents,
            "the view at \(sequence)")
        return rewound
    }
}
