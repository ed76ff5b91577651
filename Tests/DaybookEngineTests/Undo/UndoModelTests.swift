import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
import DaybookTesting
import DaybookTestSupport
import Testing

/// Compares undo and redo of random commits with histories without them, with links, lists and
/// rules. A failure prints its seed; `DAYBOOK_SEED=7 swift test --filter UndoModelTests` reproduces
/// it.
@Suite struct UndoModelTests {
    private struct History: ~Copyable {
        var generator: SeededGenerator
        let fileSystem = MemoryFileSystem()
        var store: GraphStore
        var script = UndoScript()
        var textCount = 0
        var doneCount = 0
        var refusedCount = 0
        let options: (inout EngineOptions) -> Void

        init(seed: UInt64) throws {
            var generator = SeededGenerator(seed: seed)
            let segment = [1, 4, 64].randomElement(using: &generator).map { $0 << 10 } ?? 1024
            let frame = [256, 4096].randomElement(using: &generator) ?? 256
            options = { options in
                options.log.segmentSizeBytes = segment
                options.framePayloadBytes = frame
                options.blockPayloadBytes = frame
            }
            self.generator = generator
            store = try GraphStore(fileSystem, options)
        }

        mutating func step() throws {
            switch Int.random(in: 0..<14, using: &generator) {
            case 0..<8: try write()
            case 8..<11: try undo()
            case 11..<13: try redo()
            default:
                if Bool.random(using: &generator) {
                    _ = try store.engine.compact(.all, sealsActive: true)
                } else {
                    try store.engine.close()
                    store = try GraphStore(fileSystem, options)
                }
            }
            let state = try store.state()
            try demand(state == script.state(), "the store is not what was done: \(state)")
        }

        // MARK: Writing

        /// A commit of some changes to different nodes, because the log contains only the result of
        /// a commit, not its steps.
        private mutating func write() throws {
            var state = script.state()
            let nodes = state.graph.nodes.sorted()
            var free = nodes.shuffled(using: &generator)
            var changes: [UndoScript.Change] = []
            if !free.isEmpty, Int.random(in: 0..<6, using: &generator) == 0 {
                changes = [.remove(free[0])]
            } else {
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    guard let change = change(&free, state.graph) else { continue }
                    let before = state
                    state.apply(change)
                    if state != before { changes.append(change) }
                }
            }
            guard !changes.isEmpty else { return }
            do {
                var done: [UndoScript.Change] = []
                let sequence = try store.engine.write { transaction in
                    done = try changes.map { try store.apply($0, in: transaction) }
                    return store.engine.log.lastSequence + 1
                }
                script.append(done, sequence)
            } catch let error as DaybookError where error.code == .relationDenied {}
        }

        private mutating func text() -> String {
            textCount += 1
            return "text \(textCount)"
        }

        private mutating func change(
            _ free: inout [UInt64], _ graph: GraphModel
        ) -> UndoScript.Change? {
            let kind = Int.random(in: 0..<12, using: &generator)
            guard kind > 2, let source = free.popLast() else { return .insert(0, text()) }
            if kind < 5 { return .text(source, text()) }
            let relation = GraphModel.Relation.allCases.randomElement(using: &generator) ?? .friends
            if kind < 7, let target = graph.targets(relation, source).first(where: free.contains) {
                free.removeAll { $0 == target }
                return relation == .playlist
                    ? .take(source, target) : .unlink(relation, source, target)
            }
            guard let target = free.popLast() else { return nil }
            guard relation == .playlist else {
                // The previous target changes too.
                let others = relation.isToOne ? graph.targets(relation, source) : []
                guard others.allSatisfy({ free.contains($0) || $0 == target }) else { return nil }
                free.removeAll { others.contains($0) }
                return .link(relation, source, target)
            }
            return kind < 10 ? .append(source, target) : .prepend(source, target)
        }

        // MARK: Undoing

        private mutating func undo() throws {
            let done = script.commits.indices.filter { script.undos[$0] == nil }
            // Mostly a recent commit, because later commits have often changed the same nodes as an
            // old one.
            let late = done.suffix(Bool.random(using: &generator) ? 4 : 1000)
            guard let index = late.randomElement(using: &generator) else { return }
            let wanted = script.state(without: [index])
            guard let sequence = try attemptUndo(script.sequences[index], wanted) else { return }
            script.undos[index] = sequence
        }

        private mutating func redo() throws {
            guard let index = script.undos.keys.sorted().randomElement(using: &generator),
                let undo = script.undos[index]
            else { return }
            guard try attemptUndo(undo, script.state(with: [index])) != nil else { return }
            script.undos[index] = nil
        }

        /// Returns the sequence of the undo; nil if it was refused, or rolled back because it was
        /// incomplete.
        private mutating func attemptUndo(
            _ sequence: UInt64, _ wanted: UndoScript.State
        ) throws -> UInt64? {
            let before = store.engine.log.lastSequence
            do {
                let report = try store.engine.undo(sequence...sequence)
                try demand(report.conflicts.isEmpty, "conflicts that were not refused")
                let state = try store.state()
                try demand(
                    state == wanted,
                    "undo of \(sequence): \(state), not \(wanted); \(report)")
                doneCount += 1
                guard let undo = report.sequence else { return nil }
                if try store.engine.isComplete(report) { return undo }
                try store.engine.undo(undo...undo)
                return nil
            } catch let error as DaybookError where error.code == .conflict {
                let conflicts = (error.cause as? UndoObstacles)?.conflicts ?? []
                try demand(!conflicts.isEmpty, "a refusal says why")
                try demand(store.engine.log.lastSequence == before, "a refusal wrote something")
                refusedCount += 1
                return nil
            }
        }

        func finish() throws {
            try store.engine.proveReplay()
            try store.engine.close()
        }
    }

    @Test(arguments: Seeds.first(80 * Seeds.rounds, found: [859, 1012, 1755], fresh: 0))
    func `an undo gives the state of a history without the commit`(seed: UInt64) throws {
        var history = try History(seed: seed)
        do {
            for _ in 0..<60 { try history.step() }
            try history.finish()
        } catch {
            Issue.record("seed \(seed): \(error)")
        }
    }

    @Test func `most random commits can be undone`() throws {
        var (doneCount, refusedCount) = (0, 0)
        for seed in 1...20 as ClosedRange<UInt64> {
            var history = try History(seed: seed)
            for _ in 0..<60 { try history.step() }
            doneCount += history.doneCount
            refusedCount += history.refusedCount
        }
        // Refusing everything would also pass the checks above.
        #expect(doneCount > refusedCount)
        #expect(refusedCount > 20)
    }
}
