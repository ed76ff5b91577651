import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
@testable import DaybookQuery
import DaybookTesting
import DaybookTestSupport
import Synchronization
import Testing

/// The live queries that a commit notifies, and their notifications.
@Suite struct LiveQueriesTests {
    /// A listener and its current result.
    private struct Listener {
        var number: Int
        var live: LiveQuery
        var result: [UInt64]
        var differences = 0
    }

    private func listen(
        _ queries: LiveQueries, _ runner: QueryRunner, _ engine: Engine,
        _ wake: @escaping @Sendable () -> Void = {}
    ) throws -> Listener {
        let number = try queries.add(runner, wake)
        let view = try engine.view()
        let live = try LiveQuery(runner, over: QueryAccess(view, engine.schemas))
        queries.start(number, at: live.sequence)
        return Listener(number: number, live: live, result: live.ids)
    }

    private func take(
        _ listener: inout Listener, _ queries: LiveQueries, _ engine: Engine, _ note: String
    ) throws {
        while let due = try queries.take(listener.number) {
            let access = QueryAccess(due.view, engine.schemas)
            guard let difference = try listener.live.advance(to: access, due.touches) else {
                continue
            }
            listener.differences += 1
            let new = listener.live.ids
            difference.apply(to: &listener.result) { new[$0] }
            #expect(listener.result == new, "\(note)")
        }
    }

    private func put(_ numbers: Range<Int>, _ store: PeopleStore) throws {
        try store.engine.write { transaction in
            for number in numbers {
                try store.put(store.people, PeopleStore.person(number), in: transaction)
            }
        }
    }

    @Test(arguments: Seeds.first(60 * Seeds.rounds))
    func `a listener receives all relevant changes, whenever it starts`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        // Only durable changes are delivered.
        let isManual = Bool.random(using: &generator)
        let world = try RandomWorld(MemoryFileSystem(), RandomWorld.declarations(&generator)) {
            if isManual { $0.durability = .manual }
        }
        try world.engine.write { try world.change(60, &generator, in: $0) }
        let queries = LiveQueries(world.engine)
        var random = RandomQueries(world, seed: generator.next())
        var listeners: [Listener] = []
        var reported = 0
        for round in 0..<30 {
            if listeners.count < 24 {
                let layout = round % 4 == 3 ? world.owners : world.things
                var definition = random.query(of: layout)
                if round % 2 == 0 { definition.condition = random.condition(of: layout, depth: 0) }
                if let runner = try? QueryRunner(definition, of: layout.entityID, in: world.model) {
                    listeners.append(try listen(queries, runner, world.engine))
                }
            }
            let count = [1, 1, 2, 10].randomElement(using: &generator) ?? 1
            try world.engine.write { try world.change(count, &generator, in: $0) }
            if Bool.random(using: &generator) { continue }
            let isDurable = !isManual || Bool.random(using: &generator)
            if isDurable { try world.engine.sync() }
            if UInt64.random(in: 0..<8, using: &generator) == 0 { queries.lose() }
            queries.catchUp()
            for place in listeners.indices {
                // Some listeners are slow.
                if UInt64.random(in: 0..<3, using: &generator) == 0 { continue }
                let note = "seed \(seed), \(listeners[place].live.query.definition)"
                try take(&listeners[place], queries, world.engine, note)
                guard isDurable else { continue }
                let wanted = try world.engine.query {
                    try listeners[place].live.query.ids($0)
                }
                #expect(listeners[place].result == wanted, "\(note)")
            }
        }
        reported = listeners.reduce(0) { $0 + $1.differences }
        #expect(reported > 0, "seed \(seed)")
        try world.engine.close()
    }

    /// The reader may be reading a long transaction, also for listeners that left.
    @Test(.timeLimit(.minutes(30)), arguments: [0, 1, 2])
    func `starting to listen does not wait for the reader`(otherCount: Int) throws {
        let store = try PeopleStore()
        let queries = LiveQueries(store.engine)
        let runner = try store.runner(QueryDefinition(.less("age", .integer(50))))
        let others = try (0..<otherCount).map { _ in try listen(queries, runner, store.engine) }
        if otherCount == 2 { for other in others { queries.remove(other.number) } }
        var second = try queries.whileReading { try listen(queries, runner, store.engine) }
        if otherCount == 1 { queries.remove(others[0].number) }
        try put(0..<3, store)
        queries.catchUp()
        try take(&second, queries, store.engine, "the second")
        #expect(second.result == [1, 2, 3])
        try store.engine.close()
        let error = #expect(throws: DaybookError.self) { _ = try queries.add(runner) {} }
        #expect(error?.code == .closed)
    }

    @Test func `changes that a power cut could revert are delivered only if requested`() throws {
        let world = try RandomWorld(
            MemoryFileSystem(),
            [
                EntityDeclaration(name: "Owner", fields: []),
                EntityDeclaration(
                    name: "Thing",
                    fields: ["owner", "friends", "keepers"].map { name in
                        FieldDeclaration(
                            name: name,
                            shape: ValueShape(
                                name == "owner" ? .toOne : name == "friends" ? .toMany : .objects,
                                isOptional: true, entityName: name == "friends" ? "Thing" : "Owner")
                        )
                    }),
            ]
        ) { $0.durability = .manual }
        let queries = LiveQueries(world.engine)
        let runner = try QueryRunner(
            QueryDefinition(), of: world.things.entityID, in: world.model)
        var listener = try listen(queries, runner, world.engine)
        let early = LiveQueries(world.engine, includesUnsynced: true)
        var ahead = try listen(early, runner, world.engine)
        var encoder = RowEncoder(RowLayout(world.things))
        encoder.finish()
        for number in 1...2 {
            try world.engine.write { transaction in
                try transaction.changes.put(
                    world.things.entityID, 0, layout: world.things.layoutID, row: encoder.row)
            }
            queries.catchUp()
            #expect(try queries.take(listener.number) == nil)
            early.catchUp()
            try take(&ahead, early, world.engine, "not synced")
            #expect(ahead.result == Array(1...UInt64(number)))
        }
        try world.engine.sync()
        queries.catchUp()
        try take(&listener, queries, world.engine, "synced")
        #expect(listener.result == [1, 2])
        try world.engine.close()
    }

    @Test func `the cost of a commit depends on its changes, not on the number of live queries`()
        throws
    {
        let store = try PeopleStore()
        let queries = LiveQueries(store.engine)
        var listeners: [Listener] = []
        try put(0..<200, store)
        for age in 0..<500 {
            let condition: QueryCondition = .compare(
                .property(PropertyPath(["age"])), .equal, .value(.integer(Int128(age))), [])
            let runner = try QueryRunner(
                QueryDefinition(condition), of: store.people.entityID, in: store.model)
            listeners.append(try listen(queries, runner, store.engine))
        }
        // After the next commit, the keys that trigger these queries are known.
        try put(200..<201, store)
        queries.catchUp()
        for place in listeners.indices {
            try take(&listeners[place], queries, store.engine, "age \(place)")
        }
        let before = queries.counts.concerned
        let judged = listeners.reduce(0) { $0 + $1.live.judgedCount }
        let commits = 20
        for number in 0..<commits { try put(300 + number..<301 + number, store) }
        queries.catchUp()
        for place in listeners.indices {
            try take(&listeners[place], queries, store.engine, "age \(place)")
            let wanted = try store.engine.query { try listeners[place].live.query.ids($0) }
            #expect(listeners[place].result == wanted, "age \(place)")
        }
        #expect(queries.counts.concerned - before <= commits)
        #expect(listeners.reduce(0) { $0 + $1.live.judgedCount } - judged <= commits)
        #expect(listeners.contains { $0.differences > 0 })
    }
}
