import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
@testable import DaybookQuery
import DaybookTesting
import DaybookTestSupport
import Testing

/// Random live queries over a changing world: the changes applied to the last result equal the
/// result of the query. A failure prints its seed; `DAYBOOK_SEED=7 swift test --filter
/// LiveQueryTests` reproduces it, and `DAYBOOK_ROUNDS=100` runs a hundred times as many.
@Suite struct LiveQueryTests {
    /// A live query, and the result that its listener knows.
    private struct Watched {
        var live: LiveQuery
        var result: [UInt64]
        /// The row of each object and the targets of its links, as of the last notification.
        var rows: [UInt64: [UInt8]]
        /// Whether its order uses values of linked objects.
        var isOverLinks = false
    }

    /// Counts the tested cases.
    private struct Tally {
        var queries = 0
        var reported = 0
        var moved = 0
        var overLinks = 0
    }

    /// Runs a hundred worlds with about twenty queries each.
    @Test(arguments: Seeds.first(100 * Seeds.rounds))
    func `applying the delivered changes to the old result gives the new one`(seed: UInt64) throws {
        var tally = Tally()
        do {
            try run(seed, &tally)
        } catch {
            Issue.record("seed \(seed): \(error)")
        }
        #expect(
            tally.queries > 8 && tally.reported > 0 && tally.overLinks == 4,
            "seed \(seed): \(tally)")
    }

    /// Returns an order by an aggregate of linked objects, which random queries lack.
    private func orderOverLinks(
        _ layout: EntityLayout, _ world: RandomWorld, _ generator: inout SeededGenerator
    ) -> QueryOrder {
        let isOfThings = layout.entityID == world.things.entityID
        let relations = isOfThings ? ["friends", "keepers"] : ["things", "kept"]
        let relation = relations.randomElement(using: &generator)!
        let expression: QueryExpression
        if relation == "keepers" || Bool.random(using: &generator) {
            expression = .aggregate(.count, PropertyPath([relation]), of: nil)
        } else {
            let aggregate: QueryAggregate =
                Bool.random(using: &generator) ? .minimum : .maximum
            expression = .aggregate(
                aggregate, PropertyPath([relation]), of: PropertyPath(["number"]))
        }
        return QueryOrder(.expression(expression))
    }

    private func run(_ seed: UInt64, _ tally: inout Tally) throws {
        var generator = SeededGenerator(seed: seed)
        let world = try RandomWorld(
            MemoryFileSystem(), RandomWorld.declarations(&generator))
        try world.engine.write { try world.change(80, &generator, in: $0) }
        var queries = try queries(world, &generator)
        tally.queries = queries.count
        tally.overLinks = queries.count { $0.isOverLinks }
        var last = try world.engine.visibleSequence
        for _ in 0..<6 {
            // A slow listener receives several commits at once.
            for _ in 0..<[1, 1, 2, 4].randomElement(using: &generator)! {
                let count = [1, 2, 8, 40].randomElement(using: &generator)!
                try world.engine.write { try world.change(count, &generator, in: $0) }
            }
            // Above this number of ids, the touched objects are not recorded individually.
            let limit = [3, 20, 1000].randomElement(using: &generator)!
            let touches = try touches(world, after: last, CommitTouches(idCountMax: limit))
            let isLost = UInt64.random(in: 0..<8, using: &generator) == 0
            last = try world.engine.visibleSequence
            try world.engine.query { access in
                for place in queries.indices {
                    try check(
                        &queries[place], access, isLost ? nil : touches, "seed \(seed)", &tally)
                }
            }
        }
        try world.engine.close()
    }

    private func queries(
        _ world: RandomWorld, _ generator: inout SeededGenerator
    ) throws -> [Watched] {
        var random = RandomQueries(world, seed: generator.next())
        var queries: [Watched] = []
        try world.engine.query { access in
            for number in 0..<20 {
                let layout = number % 4 == 3 ? world.owners : world.things
                var definition = random.query(of: layout)
                // Combined conditions match hardly any objects.
                if number % 3 == 0 { definition.condition = random.condition(of: layout, depth: 0) }
                let isOverLinks = number % 5 == 3
                if isOverLinks {
                    definition = QueryDefinition(.always(true))
                    definition.limit = [nil, 3, 10].randomElement(using: &generator)!
                    definition.orders = [orderOverLinks(layout, world, &generator)]
                }
                let runner: QueryRunner
                do throws(DaybookError) {
                    runner = try QueryRunner(definition, of: layout.entityID, in: world.model)
                } catch { continue }
                let spare = [0, 1, 3, nil].randomElement(using: &generator)!
                let judged = [0, 3, 4096].randomElement(using: &generator)!
                let live = try LiveQuery(
                    runner, over: access, spareCount: spare, judgedCountMin: judged)
                var watched = Watched(live: live, result: live.ids, rows: [:])
                watched.isOverLinks = isOverLinks
                watched.rows = try rows(watched, access)
                #expect(live.ids == (try runner.ids(access)))
                queries.append(watched)
            }
        }
        return queries
    }

    private func check(
        _ watched: inout Watched, _ access: QueryAccess, _ touches: CommitTouches?,
        _ seed: String, _ tally: inout Tally
    ) throws {
        let note = "\(seed): \(watched.live.query.definition)"
        let wanted = try watched.live.query.ids(access)
        let difference = try watched.live.advance(to: access, touches)
        #expect(watched.live.ids == wanted, "\(note)")
        let old = watched.result
        watched.result = wanted
        guard let difference else {
            #expect(old == wanted, "\(note)")
            #expect(try rows(watched, access) == watched.rows, "\(note)")
            return
        }
        tally.reported += 1
        tally.moved += difference.moves.count
        #expect(!difference.isEmpty, "\(note)")
        var applied = old
        difference.apply(to: &applied) { wanted[$0] }
        #expect(applied == wanted, "\(note): \(difference)")
        #expect(difference.deletions == old.indices.filter { !wanted.contains(old[$0]) }, "\(note)")
        #expect(
            difference.insertions == wanted.indices.filter { !old.contains(wanted[$0]) }, "\(note)")
        // Objects with changed rows are reported as modified or as moved.
        let reported = Set(difference.modifications + difference.moves.map(\.from))
        #expect(difference.modifications == difference.modifications.sorted(), "\(note)")
        #expect(
            reported.count == difference.modifications.count + difference.moves.count, "\(note)")
        let rows = try rows(watched, access)
        for (place, id) in old.enumerated() where rows[id] != nil {
            if rows[id] != watched.rows[id] { #expect(reported.contains(place), "\(note)") }
        }
        watched.rows = rows
    }

    private func rows(
        _ watched: Watched, _ access: QueryAccess
    ) throws -> [UInt64: [UInt8]] {
        let entity = watched.live.query.entity
        var rows: [UInt64: [UInt8]] = [:]
        let relations = access.schemas.schema.relations(from: entity)
        for row in try access.scope.rows(entity, watched.result) {
            var bytes = row.bytes.array
            for relation in relations {
                let end = LinkEnd(
                    relation: relation.relationID, isBackward: false, id: row.id,
                    isList: relation.type == .objects)
                let targets =
                    end.isList
                    ? try access.scope.list(end.relation, row.id).map(\.target)
                    : try access.scope.links(of: end)
                bytes += targets.flatMap { [UInt8(truncatingIfNeeded: $0), 255] } + [254]
            }
            rows[row.id] = bytes
        }
        return rows
    }

    @Test func `a query over its own rows runs again only if its limit needs more objects`()
        throws
    {
        let store = try PeopleStore()
        try store.fill(200)
        var definition = QueryDefinition(.less("age", .integer(50)))
        definition.orders = [QueryOrder(.expression(.path("name")))]
        (definition.offset, definition.limit) = (2, 10)
        let runner = try store.runner(definition)
        var live = try store.engine.query { try LiveQuery(runner, over: $0) }
        func advance(_ ids: [UInt64]) throws -> ResultDifference? {
            var touches = CommitTouches()
            for id in ids { touches.add(entity: store.people.entityID, id: id) }
            return try store.engine.query { access in
                defer { #expect((try? runner.ids(access)) == live.ids) }
                return try live.advance(to: access, touches)
            }
        }
        // Objects in the result, before it, after it, and one that does not match the condition.
        for id in [live.ids[4], 1, 50, 99] {
            let number = Int(id) - 1
            try store.engine.write { transaction in
                var person = PeopleStore.person(number)
                person["nick"] = .text("other")
                try store.put(store.people, person, id: id, in: transaction)
            }
            let reported = try advance([id])
            #expect(reported?.modifications == (id == live.ids[4] ? [4] : nil))
        }
        for _ in 0..<12 {
            let first = live.ids[0]
            try store.engine.write { _ = try $0.changes.remove(store.people.entityID, first) }
            let reported = try advance([first])
            #expect(reported?.deletions == [0] && reported?.insertions == [9])
        }
        #expect(live.runCount == 1)
        let many = live.ids
        try store.engine.write { transaction in
            for id in many { _ = try transaction.changes.remove(store.people.entityID, id) }
        }
        #expect(try advance(many)?.insertions == Array(0..<10))
        #expect(live.runCount == 2)
        try store.engine.close()
    }

    /// Returns the objects and links that a commit in the log changed.
    private func touches(
        _ world: RandomWorld, after sequence: UInt64, _ none: CommitTouches
    ) throws -> CommitTouches {
        var touches = none
        try world.engine.forEachTransaction(
            in: HistoryRange(from: .sequence(sequence + 1))
        ) { transaction throws(DaybookError) in
            for place in 0..<transaction.eventCount {
                let event = transaction[place]
                switch event.kind {
                case .put, .remove: touches.add(entity: event.entity, id: event.id)
                case .link, .unlink:
                    touches.add(
                        relation: event.relation, source: event.source, target: event.target)
                case .event: break
                }
            }
            return true
        }
        return touches
    }
}
