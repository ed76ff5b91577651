import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
import DaybookTesting
import DaybookTestSupport

/// A store of nodes with relations, of log lines and of events, with a random history, and a model
/// of the history that a compaction must keep.
final class RetentionWorld {
    struct Version: Equatable {
        var sequence: UInt64
        /// The bytes of the row; nil for a removal.
        var row: [UInt8]?
    }

    struct Object: Hashable {
        var entity: UInt32
        var id: UInt64
    }

    struct Versions: Equatable {
        var versions: [Version] = []
        var end: ObjectHistory.End?
    }

    let graph: GraphStore
    private let lines: EntityLayout
    private let clicks: EntityLayout
    private var random: SeededGenerator

    init(
        _ fileSystem: any FileSystem, seed: UInt64,
        _ change: (inout EngineOptions) -> Void = { _ in }
    ) throws {
        graph = try GraphStore(fileSystem) {
            $0.log.segmentSizeBytes = 2 << 10
            $0.blockPayloadBytes = 512
            $0.relocationBatchCount = 7
            change(&$0)
        }
        let text = FieldDeclaration(name: "text", type: .string)
        let layouts = try graph.engine.register([
            EntityDeclaration(name: "Line", fields: [text]),
            EntityDeclaration(name: "Click", kind: .event, fields: [text]),
        ])
        (lines, clicks) = (layouts[0], layouts[1])
        random = SeededGenerator(seed: seed)
    }

    var engine: Engine { graph.engine }
    var entities: [UInt32] { [graph.entity, lines.entityID] }

    /// The number of the next event.
    var nextEvent: UInt64 {
        engine.trees.withLock { $0.applied.counts[clicks.entityID]?.nextId ?? 1 }
    }

    private func pick<Element>(_ all: [Element]) -> Element? {
        all.isEmpty ? nil : all[Int(random.next() % UInt64(all.count))]
    }

    /// Makes commits of one to four random changes.
    func write(commitCount: Int) throws {
        for _ in 0..<commitCount {
            try engine.write { transaction in
                for _ in 0...(random.next() % 4) { try change(in: transaction) }
            }
        }
    }

    private func change(in transaction: WriteTransaction) throws {
        let nodes = try graph.rows().keys.sorted()
        let text = "text " + String(random.next(), radix: 36)
        switch random.next() % 12 {
        case 0..<2: _ = try graph.put(text, in: transaction)
        case 2..<4: _ = try graph.put(text, id: pick(nodes) ?? 0, in: transaction)
        case 4:
            // A delete rule may refuse, and the node may be removed already.
            if let id = pick(nodes) { _ = try? transaction.changes.remove(graph.entity, id) }
        case 5..<8:
            guard let source = pick(nodes), let target = pick(nodes) else { return }
            let relation = graph.number(random.next() % 2 == 0 ? .friends : .parent)
            if random.next() % 3 > 0 {
                _ = try? transaction.changes.link(relation, source, target)
            } else {
                _ = try? transaction.changes.unlink(relation, source, target)
            }
        case 8:
            guard let source = pick(nodes) else { return }
            let targets = (0..<(random.next() % 4)).compactMap { _ in pick(nodes) }
            let list = graph.number(.playlist)
            let known = (try? transaction.changes.list(list, source)) ?? []
            _ = try? transaction.changes.setList(
                list, source, from: known.map(\.position),
                to: targets.map { ListPlacement(position: nil, target: $0) })
        case 9:
            let row = try row(text, clicks)
            try transaction.changes.append(clicks.entityID, layout: clicks.layoutID, row: row.span)
        default: try changeLine(text, in: transaction)
        }
    }

    private func row(_ text: String, _ layout: EntityLayout) throws -> [UInt8] {
        var encoder = RowEncoder(RowLayout(layout))
        try encoder.set(text: text, at: 0)
        encoder.finish()
        return encoder.row.array
    }

    private func changeLine(_ text: String, in transaction: WriteTransaction) throws {
        let row = try row(text, lines)
        let id = random.next() % 6
        if random.next() % 5 == 0 {
            _ = try transaction.changes.remove(lines.entityID, id)
        } else {
            _ = try? transaction.changes.put(
                lines.entityID, id, layout: lines.layoutID, row: row.span)
        }
    }

    /// The versions of all objects that were ever inserted.
    func versions() throws -> [Object: Versions] {
        var found: [Object: Versions] = [:]
        for entity in entities {
            let nextId = engine.trees.withLock { $0.applied.counts[entity]?.nextId ?? 1 }
            for id in 1..<max(2, nextId) {
                let object = Object(entity: entity, id: id)
                found[object] = try versions(of: object)
            }
        }
        return found
    }

    /// The versions of an object, newest first.
    func versions(of object: Object) throws -> Versions {
        var versions = Versions()
        var history = try engine.history(of: object.entity, id: object.id)
        while let version = try history.next() {
            versions.versions.append(
                Version(sequence: version.sequence, row: version.row?.bytes.array))
        }
        versions.end = history.end
        return versions
    }

    /// The states at every `step`-th sequence from a floor on.
    func states(from floor: UInt64, step: Int = 7) throws -> [PastState] {
        try stride(from: floor, through: try engine.visibleSequence, by: step).map {
            try PastState(try engine.pastView(at: $0, by: .replay), engine.schemas.schema)
        }
    }

    /// The events that a compaction keeps of those in the log.
    static func kept(_ all: [EventStore.Fact], _ policy: HistoryPolicy) -> [EventStore.Fact] {
        let floor = policy.entities["Click"]?.floor ?? 0
        return all.filter { $0.sequence > floor }
    }

    /// The versions that a rule keeps, newest first.
    static func kept(_ all: Versions, _ rule: HistoryRule, newest: UInt64) -> Versions {
        let floor = min(rule.floor, newest)
        var kept = all.versions.filter { $0.sequence > floor }
        var old = all.versions.filter { $0.sequence <= floor }.prefix(rule.versionCount)
        if rule.versionCount == 1, old.first?.row == nil { old = [] }
        kept += old
        let isCut = kept.count < all.versions.count
        return Versions(versions: kept, end: isCut ? .compacted : all.end)
    }
}
