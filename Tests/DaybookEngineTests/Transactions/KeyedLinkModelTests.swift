import DaybookBytes
import DaybookRecords
import DaybookTestSupport
import DaybookTesting
import Testing

@testable import DaybookEngine

/// Compares random maps of objects with dictionaries, with rollbacks, undo, compaction and
/// reopening. A failure prints its seed; `DAYBOOK_SEED=7 swift test --filter KeyedLinkModelTests`
/// reproduces it.
@Suite struct KeyedLinkModelTests {
    /// The targets of each source by key.
    typealias Shelves = [UInt64: [String: UInt64]]

    private enum Change {
        case insert(UInt64)
        case remove(UInt64)
        /// Sets a key, or removes it.
        case set(UInt64, String, UInt64?)
    }

    private struct State: Equatable {
        var nodes: Set<UInt64> = []
        var shelves: Shelves = [:]

        mutating func apply(_ change: Change) {
            switch change {
            case .insert(let id): nodes.insert(id)
            case .remove(let id):
                nodes.remove(id)
                shelves[id] = nil
                shelves = shelves.mapValues { $0.filter { $0.value != id } }
            case .set(let source, let key, let target):
                guard nodes.contains(source), target.map(nodes.contains) ?? true else { return }
                shelves[source, default: [:]][key] = target
            }
            shelves = shelves.filter { !$0.value.isEmpty }
        }
    }

    private struct Refusal: Error {}

    private final class World {
        var generator: SeededGenerator
        let fileSystem = MemoryFileSystem()
        var engine: Engine
        var layout: EntityLayout
        var commits: [(sequence: UInt64, changes: [Change], isUndone: Bool)] = []
        var past: [(sequence: UInt64, state: State)] = []
        var undoneCount = 0
        var refusedCount = 0

        init(seed: UInt64) throws {
            generator = SeededGenerator(seed: seed)
            (engine, layout) = try Self.open(fileSystem)
        }

        private static func open(
            _ fileSystem: MemoryFileSystem
        ) throws -> (Engine, EntityLayout) {
            var options = EngineOptions()
            options.isMaintenanceAutomatic = false
            options.log.segmentSizeBytes = 4 << 10
            options.framePayloadBytes = 512
            options.blockPayloadBytes = 512
            let engine = try Engine.open("/store", fileSystem, options: options)
            let shape = ValueShape(.keyedObjects, isOptional: true, entityName: "Node")
            let layout = try engine.register([
                EntityDeclaration(
                    name: "Node",
                    fields: [
                        FieldDeclaration(name: "number", type: .uint64),
                        FieldDeclaration(name: "shelf", shape: shape),
                    ])
            ])[0]
            return (engine, layout)
        }

        var relation: UInt32 { layout.fields[1].relation?.relationID ?? 0 }

        func state(without undone: Int? = nil) -> State {
            var state = State()
            for (index, commit) in commits.enumerated() where !commit.isUndone && index != undone {
                for change in commit.changes { state.apply(change) }
            }
            return state
        }

        func stored(_ scope: ReadScope) throws -> State {
            var state = State()
            var ids: [UInt64] = []
            for id in 1...60 as ClosedRange<UInt64> where try scope.contains(layout.entityID, id) {
                ids.append(id)
            }
            let known = try #require(engine.schemas.relation(relation))
            for id in ids {
                state.nodes.insert(id)
                let targets = try scope.targets(of: known, from: id)
                let keys = try #require(targets.keys)
                if !keys.isEmpty {
                    state.shelves[id] = Dictionary(uniqueKeysWithValues: zip(keys, targets.ids))
                }
            }
            return state
        }

        private func apply(
            _ change: Change, in transaction: WriteTransaction
        ) throws {
            switch change {
            case .insert(let id):
                var row = RowEncoder(RowLayout(layout))
                row.set(uint64: id, at: 0)
                row.finish()
                _ = try transaction.changes.put(
                    layout.entityID, id, layout: layout.layoutID, row: row.row,
                    PutOptions(isAssignable: true))
            case .remove(let id): _ = try transaction.changes.remove(layout.entityID, id)
            case .set(let source, let key, let target):
                let position = try #require(LinkKey.position(of: key))
                try transaction.changes.setKeys(
                    relation, source, removing: target == nil ? [position] : [],
                    placing: target.map { [ListElement(position: position, target: $0)] } ?? [])
            }
        }

        func write() throws {
            var state = state()
            var changes: [Change] = []
            var changed: Set<String> = []
            for _ in 0..<Int.random(in: 1...5, using: &generator) {
                let nodes = state.nodes.sorted()
                let next: Change
                switch Int.random(in: 0..<12, using: &generator) {
                case 0 where commits.count < 50: next = .insert(UInt64(commits.count) + 1)
                case 1 where nodes.count > 4 && changes.isEmpty:
                    next = .remove(nodes.randomElement(using: &generator) ?? 1)
                default:
                    guard let source = nodes.prefix(6).randomElement(using: &generator) else {
                        next = .insert(1)
                        break
                    }
                    let key = ["", "a", "b", "字"].randomElement(using: &generator) ?? ""
                    let target =
                        Int.random(in: 0..<4, using: &generator) == 0
                        ? nil : nodes.randomElement(using: &generator)
                    next = .set(source, key, target)
                }
                if case .insert(let id) = next, state.nodes.contains(id) { continue }
                // The log contains only the result of a commit, not its steps.
                if case .set(let source, let key, _) = next,
                    !changed.insert("\(source) \(key)").inserted
                {
                    continue
                }
                let before = state
                state.apply(next)
                if state == before { continue }
                changes.append(next)
                if case .remove = next { break }
            }
            if changes.isEmpty { return }
            let fails = Int.random(in: 0..<6, using: &generator) == 0
            let before = engine.log.lastSequence
            do {
                try engine.write { transaction in
                    for change in changes { try apply(change, in: transaction) }
                    #expect(try stored(.write(transaction)) == state)
                    if fails { throw Refusal() }
                }
            } catch is Refusal { return }
            guard engine.log.lastSequence > before else { return }
            commits.append((engine.log.lastSequence, changes, false))
        }

        /// Undoes a recent commit. An undo either gives the state without the commit, or changes
        /// nothing.
        func undo() throws {
            let done = commits.indices.suffix(3).filter { !commits[$0].isUndone }
            guard let index = done.randomElement(using: &generator) else { return }
            let sequence = commits[index].sequence
            let before = engine.log.lastSequence
            do {
                _ = try engine.undo(sequence...sequence)
                #expect(try stored(engine.scope()) == state(without: index))
                commits[index].isUndone = true
                undoneCount += 1
            } catch let error as DaybookError where error.code == .conflict {
                #expect(engine.log.lastSequence == before)
                refusedCount += 1
            }
        }

        func step() throws {
            switch Int.random(in: 0..<12, using: &generator) {
            case 0: try undo()
            case 1: _ = try engine.compact(.all, sealsActive: true)
            case 2:
                try engine.close()
                (engine, layout) = try Self.open(fileSystem)
            default: try write()
            }
            #expect(try stored(engine.scope()) == state())
            past.append((engine.log.lastSequence, state()))
        }

        func finish() throws {
            for moment in past where moment.sequence > 0 {
                let view = try engine.view(until: .sequence(moment.sequence))
                #expect(try stored(.read(view)) == moment.state)
            }
            try engine.proveReplay()
            try engine.close()
        }
    }

    @Test(arguments: Seeds.first(12 * Seeds.rounds))
    func `maps of objects agree with dictionaries`(seed: UInt64) throws {
        let world = try World(seed: seed)
        for _ in 0..<80 { try world.step() }
        try world.finish()
    }

    @Test func `most random commits can be undone`() throws {
        var (undoneCount, refusedCount) = (0, 0)
        for seed in 101...108 as ClosedRange<UInt64> {
            let world = try World(seed: seed)
            for _ in 0..<60 { try world.step() }
            undoneCount += world.undoneCount
            refusedCount += world.refusedCount
            try world.engine.close()
        }
        // Refusing everything would also pass the checks above.
        #expect(undoneCount > refusedCount && refusedCount > 0)
    }
}
