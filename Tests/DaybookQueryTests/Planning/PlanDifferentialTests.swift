import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
@testable import DaybookQuery
import DaybookTesting
import DaybookTestSupport
import Testing

/// Random queries with every possible plan: the result equals that of a plain scan. A failure
/// prints its seed; `DAYBOOK_SEED=7 swift test --filter PlanDifferentialTests` reproduces it, and
/// `DAYBOOK_ROUNDS=100` runs a hundred times as many.
@Suite struct PlanDifferentialTests {
    private struct Refusal: Error {}

    /// The number of tested queries, and the number of plans that used an index.
    private struct Tally {
        var queries = 0
        var indexed = 0
    }

    private func hints(
        _ world: RandomWorld, _ layout: EntityLayout, _ generator: inout SeededGenerator
    ) -> [PlanHint] {
        let all = (world.things.indexes + world.owners.indexes).map(\.indexID)
        let some = (0..<2).map { _ in
            PlanHint.indexes(Set(all.filter { _ in Bool.random(using: &generator) }))
        }
        return [.cheapest, .indexes(Set(all)), .indexes([])] + some
    }

    private func check(
        _ count: Int, _ world: RandomWorld, _ access: QueryAccess, seed: UInt64,
        _ tally: inout Tally
    ) throws {
        var queries = RandomQueries(world, seed: seed)
        for number in 0..<count {
            let layout = number % 4 == 3 ? world.owners : world.things
            let definition = queries.query(of: layout)
            let scan: QueryRunner
            do throws(DaybookError) {
                scan = try QueryRunner(
                    definition, of: layout.entityID, in: world.model, hint: .scan)
            } catch {
                // Not all tests apply to all types.
                #expect(error.code == .invalidArgument, "seed \(seed): \(definition): \(error)")
                continue
            }
            tally.queries += 1
            let wanted = try scan.ids(access)
            #expect(try scan.count(access) == wanted.count, "seed \(seed): \(definition)")
            for hint in hints(world, layout, &queries.generator) {
                let runner = try QueryRunner(
                    definition, of: layout.entityID, in: world.model, hint: hint)
                let plan = try runner.explain(access, isRun: false)
                if !plan.indexes.isEmpty { tally.indexed += 1 }
                let note = "seed \(seed), query \(number): \(definition)\n\(hint)\n\(plan)"
                #expect(try runner.ids(access) == wanted, "\(note)")
                #expect(try runner.count(access) == wanted.count, "\(note)")
                #expect(try runner.exists(access) == !wanted.isEmpty, "\(note)")
                #expect(try runner.first(access)?.id == wanted.first, "\(note)")
                #expect(try runner.rows(access).map(\.id) == wanted, "\(note)")
                var streamed: [UInt64] = []
                try runner.forEachRow(access) { row in
                    streamed.append(row.id)
                    return streamed.count < 40
                }
                #expect(streamed == Array(wanted.prefix(40)), "\(note)")
            }
        }
    }

    @Test(arguments: Seeds.first(20 * Seeds.rounds))
    func `every plan gives the same result`(seed: UInt64) throws {
        var tally = Tally()
        do {
            try run(seed, &tally)
        } catch {
            Issue.record("seed \(seed): \(error)")
        }
        #expect(tally.queries > 20, "seed \(seed)")
    }

    private func run(_ seed: UInt64, _ tally: inout Tally) throws {
        var generator = SeededGenerator(seed: seed)
        let fileSystem = MemoryFileSystem()
        let bare = RandomWorld.declarations(&generator)
        var early = bare
        // Half of the stores get their indexes later.
        if Bool.random(using: &generator) {
            for place in early.indices { early[place].indexes = [] }
        }
        var world = try RandomWorld(fileSystem, early)
        for _ in 0..<3 {
            try world.engine.write { try world.change(60, &generator, in: $0) }
        }
        let past = try world.engine.visibleSequence
        try world.engine.write { try world.change(20, &generator, in: $0) }
        try check(world, world.engine.view(at: past), seed &* 8, &tally, 8)
        if early != bare {
            try world.engine.close()
            world = try RandomWorld(fileSystem, bare, numbersAfter: 1000)
            // Queries run while the indexes are being built.
            for _ in 0..<2 {
                try world.engine.buildIndexSlice(limit: 13)
                try world.engine.query { access in
                    try check(6, world, access, seed: seed &* 8 &+ 1, &tally)
                }
            }
            while try world.engine.buildIndexSlice(limit: 1000) {}
        }
        try world.engine.query { access in
            try check(24, world, access, seed: seed &* 8 &+ 2, &tally)
        }
        do {
            try world.engine.write { transaction in
                try world.change(30, &generator, in: transaction)
                try world.engine.query { access in
                    try check(14, world, access, seed: seed &* 8 &+ 3, &tally)
                }
                throw Refusal()
            }
        } catch is Refusal {}
        #expect(tally.indexed > 0, "seed \(seed): plans use indexes")
        try world.engine.close()
    }

    private func check(
        _ world: RandomWorld, _ view: ReadView, _ seed: UInt64, _ tally: inout Tally, _ count: Int
    ) throws {
        let access = QueryAccess(view, world.engine.schemas)
        try check(count, world, access, seed: seed, &tally)
    }
}
