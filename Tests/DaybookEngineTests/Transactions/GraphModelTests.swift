import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
import DaybookTesting
import DaybookTestSupport
import Testing

/// Compares random graphs with ``GraphModel``, with kills, closes, snapshots and compactions. A
/// failure prints its seed; `DAYBOOK_SEED=7 swift test --filter GraphModelTests` reproduces it.
@Suite struct GraphModelTests {
    private struct History: ~Copyable {
        var generator: SeededGenerator
        var fileSystem = MemoryFileSystem()
        var store: GraphStore
        var model = GraphModel()
        let options: (inout EngineOptions) -> Void

        init(seed: UInt64) throws {
            var generator = SeededGenerator(seed: seed)
            let segment = [1, 4, 64].randomElement(using: &generator).map { $0 << 10 } ?? 1024
            let frame = [256, 4096].randomElement(using: &generator) ?? 256
            options = { options in
                options.log.segmentSizeBytes = segment
                options.framePayloadBytes = frame
                options.blockPayloadBytes = frame
                options.snapshotChangeCountMin = 40
            }
            self.generator = generator
            store = try GraphStore(fileSystem, options)
        }

        private mutating func node() -> UInt64? {
            model.nodes.sorted().randomElement(using: &generator)
        }

        /// A transaction of one or more changes, some of which are rolled back.
        mutating func write() throws {
            let before = model
            let fails = Int.random(in: 0..<8, using: &generator) == 0
            var touched: Set<UInt64> = []
            do {
                try store.engine.write { transaction in
                    for _ in 0..<Int.random(in: 1...10, using: &generator) {
                        try change(transaction, &touched)
                    }
                    try check { try transaction.changes.links(of: $0) }
                    if fails { throw Refusal() }
                }
                model.removeOrphans(touched)
            } catch is Refusal {
                model = before
            }
        }

        private mutating func change(
            _ transaction: WriteTransaction, _ touched: inout Set<UInt64>
        ) throws {
            let owned = Set((model.targets[.owned] ?? [:]).values.joined())
            defer {
                // The nodes that had an owner before the change and have none after it.
                let now = Set((model.targets[.owned] ?? [:]).values.joined())
                touched.formUnion(owned.subtracting(now))
            }
            switch Int.random(in: 0..<12, using: &generator) {
            case 0..<3: model.nodes.insert(try store.put("node", in: transaction))
            case 3..<6: try link(transaction)
            case 6..<8: try unlink(transaction)
            case 8..<10: try edit(transaction)
            case 10: try remove(transaction)
            default:
                let (before, mark) = (model, transaction.savepoint())
                try link(transaction)
                try unlink(transaction)
                try edit(transaction)
                try remove(transaction)
                transaction.roll(backTo: mark)
                model = before
            }
        }

        private mutating func link(_ transaction: WriteTransaction) throws {
            guard let source = node(), let target = node(),
                let relation = GraphModel.Relation.allCases.randomElement(using: &generator),
                relation != .playlist
            else { return }
            let isNew = try transaction.changes.link(store.number(relation), source, target)
            try demand(
                isNew == !model.targets(relation, source).contains(target),
                "linking \(source) to \(target) by \(relation)")
            model.link(relation, source, target)
        }

        private mutating func unlink(_ transaction: WriteTransaction) throws {
            guard let relation = GraphModel.Relation.allCases.randomElement(using: &generator),
                relation != .playlist,
                let source = model.targets[relation]?.keys.sorted()
                    .randomElement(using: &generator),
                let target = model.targets(relation, source).randomElement(using: &generator)
            else { return }
            try demand(
                try transaction.changes.unlink(store.number(relation), source, target),
                "\(source) was not linked to \(target) by \(relation)")
            model.unlink(relation, source, target)
        }

        /// Moves, removes and inserts list elements.
        private mutating func edit(_ transaction: WriteTransaction) throws {
            guard let source = node() else { return }
            let number = store.number(.playlist)
            let base = try transaction.changes.list(number, source)
            var list = base.map { ListPlacement(position: $0.position, target: $0.target) }
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let index = Int.random(in: 0...list.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0:
                    guard let target = node() else { return }
                    list.insert(ListPlacement(position: nil, target: target), at: index)
                case 1 where index < list.count: list.remove(at: index)
                default: list.shuffle(using: &generator)
                }
            }
            let positions = try transaction.changes.setList(
                number, source, from: base.map(\.position), to: list)
            let now = try transaction.changes.list(number, source)
            try demand(now.map(\.position) == positions, "the positions of \(source)")
            model.set(.playlist, source, list.map(\.target))
        }

        private mutating func remove(_ transaction: WriteTransaction) throws {
            guard let node = node() else { return }
            do {
                try demand(
                    try transaction.changes.remove(store.entity, node), "\(node) was not there")
                try demand(model.remove(node), "\(node) was removed against a rule")
            } catch let error as DaybookError where error.code == .relationDenied {
                var copy = model
                try demand(!copy.remove(node), "\(node) was not removed, and no rule says so")
            }
        }

        mutating func step() throws {
            switch Int.random(in: 0..<30, using: &generator) {
            case 0:
                try store.engine.proveReplay()
                try store.engine.close()
                store = try GraphStore(fileSystem, options)
            case 1:
                fileSystem = fileSystem.afterKill()
                store = try GraphStore(fileSystem, options)
            case 2: try store.engine.writeSnapshotAndPrune()
            case 3: _ = try store.engine.compact(.all, sealsActive: true)
            case 4: _ = try store.engine.compact(.latest)
            default: try write()
            }
            try check { try store.engine.scope().links(of: $0) }
        }

        /// Compares both directions of all relations with the model.
        private func check(_ links: (LinkEnd) throws -> [UInt64]) throws {
            for relation in GraphModel.Relation.allCases {
                for node in model.nodes {
                    let forward = try links(store.end(relation, node))
                    let expected = Set(model.targets(relation, node)).sorted()
                    try demand(forward == expected, "\(relation) of \(node): \(forward)")
                    let backward = try links(store.end(relation, node, isBackward: true))
                    try demand(
                        backward == model.sources(relation, node),
                        "\(relation) back from \(node): \(backward)")
                }
            }
        }

        func finish() throws {
            for node in model.nodes {
                let list = try store.engine.scope().list(store.number(.playlist), node)
                try demand(
                    list.map(\.target) == model.targets(.playlist, node), "the list of \(node)")
                try demand(
                    try store.engine.scope().linkCount(of: store.end(.playlist, node))
                        == list.count,
                    "the count of \(node)")
            }
            try demand(try store.engine.count(store.entity) == model.nodes.count, "the count")
            try store.engine.proveReplay()
            try store.engine.close()
        }
    }

    @Test(arguments: Seeds.first(20 * Seeds.rounds))
    func `a random graph equals a model of plain collections`(seed: UInt64) throws {
        var history = try History(seed: seed)
        do {
            for _ in 0..<80 { try history.step() }
            try history.finish()
        } catch {
            Issue.record("seed \(seed): \(error)")
        }
    }
}
