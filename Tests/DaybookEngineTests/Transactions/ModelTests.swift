import DaybookBytes
@testable import DaybookEngine
import DaybookTesting
import DaybookTestSupport
import Testing

/// Compares random histories with a dictionary, with kills, closes, snapshots, compactions and disk
/// faults. A failure prints its seed; `DAYBOOK_SEED=7 swift test --filter ModelTests` reproduces
/// it.
@Suite struct ModelTests {
    private struct History: ~Copyable {
        var generator: SeededGenerator
        var fileSystem = MemoryFileSystem()
        var notes: NoteStore
        var model: [UInt64: String] = [:]
        var used: Set<UInt64> = []
        let options: (inout EngineOptions) -> Void

        init(seed: UInt64) throws {
            var generator = SeededGenerator(seed: seed)
            let segment = [1, 4, 64].randomElement(using: &generator).map { $0 << 10 } ?? 1024
            let frame = [256, 4096, 65536].randomElement(using: &generator) ?? 256
            let durability = [Durability.always, .manual].randomElement(using: &generator)
            let cache = [0, 1 << 20].randomElement(using: &generator) ?? 0
            let index = [Int.max, 1, 128 << 10].randomElement(using: &generator) ?? .max
            options = { options in
                options.indexBudgetBytes = index
                options.log.segmentSizeBytes = segment
                options.framePayloadBytes = frame
                options.blockPayloadBytes = frame
                options.durability = durability ?? .always
                options.log.frameCacheBudgetBytes = cache
                options.snapshotChangeCountMin = 40
            }
            self.generator = generator
            notes = try NoteStore(fileSystem, options)
        }

        mutating func text() -> String {
            let length = Int.random(in: 0...6, using: &generator)
            let isWide = Int.random(in: 0..<30, using: &generator) == 0
            return String(
                repeating: "text \(generator.next() % 1000) ", count: isWide ? 200 : length)
        }

        /// A write of one or more changes, some of which are rolled back.
        mutating func write() throws {
            let before = (model, used)
            let fails = Int.random(in: 0..<8, using: &generator) == 0
            do {
                try notes.engine.write { transaction in
                    for _ in 0..<Int.random(in: 1...12, using: &generator) {
                        try change(transaction)
                    }
                    if fails { throw Refusal() }
                }
            } catch is Refusal {
                model = before.0
            }
        }

        private mutating func change(_ transaction: WriteTransaction) throws {
            let known = used.sorted().randomElement(using: &generator)
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<5:
                let text = text()
                let id = try notes.put(text, in: transaction)
                try demand(used.insert(id).inserted, "id \(id) was given twice")
                model[id] = text
            case 5..<7:
                guard let known else { return }
                let text = text()
                model[try notes.put(text, id: known, in: transaction)] = text
            case 7..<9:
                guard let known else { return }
                let wasThere = model.removeValue(forKey: known) != nil
                try demand(
                    try transaction.changes.remove(notes.entity, known) == wasThere,
                    "removing \(known)")
            default:
                guard let known else { return }
                let mark = transaction.savepoint()
                try notes.put("to be taken back", id: known, in: transaction)
                transaction.roll(backTo: mark)
            }
            if let known { try demand(try notes.text(known) == model[known], "inside, \(known)") }
        }

        mutating func step() throws {
            switch Int.random(in: 0..<40, using: &generator) {
            case 0: try reopen(proven: true)
            case 1: try reopen(proven: false)
            case 2: try notes.engine.writeSnapshotAndPrune()
            case 3: _ = try notes.engine.compact(.all, sealsActive: true)
            case 4: _ = try notes.engine.compact(.latest)
            case 5:
                try notes.engine.writeSnapshot()
                try notes.engine.evict()
            default: try write()
            }
            try check()
        }

        /// Closes or kills the store and opens it again.
        private mutating func reopen(proven: Bool) throws {
            if proven {
                try notes.closeProven()
            } else {
                fileSystem = fileSystem.afterKill()
            }
            notes = try NoteStore(fileSystem, options)
            // Ids that were assigned only in a transaction that was rolled back are free again.
            used = used.filter { $0 < nextId }
        }

        private var nextId: UInt64 {
            notes.engine.trees.withLock { $0.applied.counts[notes.entity]?.nextId ?? 1 }
        }

        func check() throws {
            try demand(try notes.count() == model.count, "the count")
            try demand(try notes.all() == model, "all of it")
            for id in used.prefix(5) { try demand(try notes.text(id) == model[id], "id \(id)") }
        }

        func finish() throws { try notes.closeProven() }
    }

    @Test(arguments: Seeds.first(30))
    func `a random history equals a model of plain dictionaries`(seed: UInt64) throws {
        var history = try History(seed: seed)
        do {
            for _ in 0..<60 { try history.step() }
            try history.finish()
        } catch {
            Issue.record("seed \(seed): \(error)")
        }
    }
}
