import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
import DaybookPages
import DaybookTesting
import DaybookTestSupport
import Testing

/// Past versions are equal to a fresh replay up to them.
@Suite struct PastViewTests {
    /// A version that is kept while the store changes.
    private struct Held {
        let view: ReadView
        let state: PastState
    }

    private static func options(
        _ generator: inout SeededGenerator
    ) -> (inout EngineOptions) -> Void {
        let segment = [1, 4, 64].randomElement(using: &generator).map { $0 << 10 } ?? 1024
        let frame = [256, 4096].randomElement(using: &generator) ?? 256
        return { options in
            options.log.segmentSizeBytes = segment
            options.framePayloadBytes = frame
            options.blockPayloadBytes = frame
            options.snapshotChangeCountMin = 20
        }
    }

    // MARK: Links and lists

    private struct GraphHistory {
        var generator: SeededGenerator
        var fileSystem = MemoryFileSystem()
        let options: (inout EngineOptions) -> Void
        var store: GraphStore
        var nodes: [UInt64] = []
        var held: [Held] = []

        init(seed: UInt64) throws {
            generator = SeededGenerator(seed: seed)
            options = PastViewTests.options(&generator)
            store = try GraphStore(fileSystem, options)
        }

        mutating func write() throws {
            try store.engine.write { transaction in
                for _ in 0..<Int.random(in: 1...8, using: &generator) { try change(transaction) }
            }
        }

        private mutating func change(_ transaction: WriteTransaction) throws {
            let node = nodes.randomElement(using: &generator)
            let other = nodes.randomElement(using: &generator)
            let kinds = GraphStore.Relation.allCases.filter { $0 != .playlist }
            let relation = kinds.randomElement(using: &generator) ?? .friends
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<3: nodes.append(try store.put("new", in: transaction))
            case 3:
                guard let node, try transaction.changes.contains(store.entity, node) else { return }
                _ = try store.put("changed", id: node, in: transaction)
            case 4..<6:
                guard let node, let other, try transaction.changes.contains(store.entity, node),
                    try transaction.changes.contains(store.entity, other)
                else { return }
                _ = try transaction.changes.link(store.number(relation), node, other)
            case 6:
                guard let node, let other, try transaction.changes.contains(store.entity, node),
                    try transaction.changes.contains(store.entity, other)
                else { return }
                _ = try transaction.changes.unlink(store.number(relation), node, other)
            case 7, 8:
                guard let node, try transaction.changes.contains(store.entity, node) else { return }
                try edit(node, other, transaction)
            default:
                guard let node else { return }
                do {
                    _ = try transaction.changes.remove(store.entity, node)
                } catch {
                    if error.code != .relationDenied { throw error }
                }
            }
        }

        private mutating func edit(
            _ node: UInt64, _ other: UInt64?, _ transaction: WriteTransaction
        ) throws {
            let number = store.number(.playlist)
            let base = try transaction.changes.list(number, node)
            var list = base.map { ListPlacement(position: $0.position, target: $0.target) }
            if let other, try transaction.changes.contains(store.entity, other) {
                let place = Int.random(in: 0...list.count, using: &generator)
                list.insert(ListPlacement(position: nil, target: other), at: place)
            }
            if list.count > 2 { list.shuffle(using: &generator) }
            if list.count > 5 { list.removeFirst() }
            _ = try transaction.changes.setList(number, node, from: base.map(\.position), to: list)
        }

        mutating func step() throws {
            switch Int.random(in: 0..<24, using: &generator) {
            case 0:
                held = []
                try store.engine.proveReplay()
                try store.engine.close()
                store = try GraphStore(fileSystem, options)
            case 1:
                held = []
                fileSystem = fileSystem.afterKill()
                store = try GraphStore(fileSystem, options)
                nodes = nodes.filter { (try? store.engine.contains(store.entity, $0)) ?? false }
            case 2: try store.engine.writeSnapshotAndPrune()
            case 3: _ = try store.engine.compact(.all, sealsActive: true)
            case 4: try dropHistory()
            case 5: try hold()
            default: try write()
            }
        }

        /// Drops superseded versions up to now or up to any sequence.
        private mutating func dropHistory() throws {
            let last = try store.engine.visibleSequence
            let floor = UInt64.random(in: 0...last, using: &generator)
            let isLatest = Bool.random(using: &generator)
            _ = try store.engine.compact(isLatest ? .latest : .since(floor))
        }

        /// Keeps a past version to compare it again after later changes.
        private mutating func hold() throws {
            let (floor, newest) = (store.engine.historyFloor, try store.engine.visibleSequence)
            guard floor <= newest else { return }
            let sequence = UInt64.random(in: floor...newest, using: &generator)
            let view = try store.engine.pastView(at: sequence, by: .rewind)
            held.append(
                Held(view: view, state: try PastState(view, store.engine.schemas.schema)))
        }

        func check() throws {
            for held in held {
                let now = try PastState(held.view, store.engine.schemas.schema)
                try demand(now == held.state, "the held version \(held.state.sequence)")
            }
            try store.engine.demandPast()
        }
    }

    @Test(arguments: Seeds.first(12 * Seeds.rounds))
    func `links and lists of every version equal those of a fresh replay`(seed: UInt64) throws {
        do {
            var history = try GraphHistory(seed: seed)
            for round in 1...50 {
                try history.step()
                if round % 25 == 0 { try history.check() }
            }
            try history.store.engine.proveReplay()
            try history.store.engine.close()
        } catch {
            Issue.record("seed \(seed): \(error)")
        }
    }

    // MARK: Indexes

    private struct AccountHistory {
        var generator: SeededGenerator
        var fileSystem = MemoryFileSystem()
        let options: (inout EngineOptions) -> Void
        var store: AccountStore
        var ids: [UInt64] = []

        init(seed: UInt64) throws {
            generator = SeededGenerator(seed: seed)
            options = PastViewTests.options(&generator)
            store = try AccountStore(fileSystem, indexes: AccountStore.every, options)
        }

        private mutating func account() -> Account {
            let cities = ["", "Rome", "Paris", "PARIS", "New York", "York, new york"]
            let number = Int.random(in: 0..<20, using: &generator)
            return Account(
                email: number % 5 == 0 ? nil : "\(number)@example.com",
                code: Int64.random(in: -15..<15, using: &generator),
                city: cities.randomElement(using: &generator) ?? "",
                level: number % 3 == 0 ? nil : Int32(number - 10))
        }

        mutating func write() throws {
            try store.engine.write { _ in
                for _ in 0..<Int.random(in: 1...6, using: &generator) { try change() }
            }
        }

        private mutating func change() throws {
            let known = ids.randomElement(using: &generator)
            if let known, Int.random(in: 0..<4, using: &generator) == 0 {
                try store.remove(known)
                return
            }
            let isNew = Bool.random(using: &generator)
            do {
                ids.append(try store.put(account(), id: isNew ? 0 : known ?? 0))
            } catch let error as DaybookError
                where error.code == .uniqueViolation || error.code == .notFound
            {}
        }

        mutating func step() throws {
            switch Int.random(in: 0..<20, using: &generator) {
            case 0:
                try store.closeProven()
                try reopen()
            case 1:
                fileSystem = fileSystem.afterKill()
                try reopen()
            case 2: try store.engine.writeSnapshotAndPrune()
            case 3: _ = try store.engine.compact(.all, sealsActive: true)
            case 4: try dropHistory()
            case 5: try reopen()
            default: try write()
            }
        }

        /// Drops superseded versions up to now or up to any sequence.
        private mutating func dropHistory() throws {
            let last = try store.engine.visibleSequence
            let floor = UInt64.random(in: 0...last, using: &generator)
            let isLatest = Bool.random(using: &generator)
            _ = try store.engine.compact(isLatest ? .latest : .since(floor))
        }

        /// Opens the store with other indexes; unique ones only if their values allow it.
        private mutating func reopen() throws {
            var wanted = AccountStore.every.filter { _ in
                Int.random(in: 0..<3, using: &generator) > 0
            }
            try? store.engine.close()
            do {
                store = try AccountStore(fileSystem, indexes: wanted, options)
            } catch let error as DaybookError where error.code == .uniqueViolation {
                wanted.removeAll { $0.isUnique }
                store = try AccountStore(fileSystem, indexes: wanted, options)
            }
            while try store.engine.buildIndexSlice() {}
            let used = ids
            ids = try used.filter { try store.engine.contains(store.entity, $0) }
        }
    }

    @Test(arguments: Seeds.first(12 * Seeds.rounds))
    func `indexes of every version equal those of a fresh replay`(seed: UInt64) throws {
        do {
            var history = try AccountHistory(seed: seed)
            for round in 1...60 {
                try history.step()
                if round % 30 == 0 { try history.store.engine.demandPast() }
            }
            try history.store.closeProven()
        } catch {
            Issue.record("seed \(seed): \(error)")
        }
    }
}
