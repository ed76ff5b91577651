import DaybookBytes
@testable import DaybookEngine
@testable import DaybookQuery
import DaybookTestSupport
import Testing

/// Live queries over linked objects: the changes that trigger them, and the objects that they read
/// then.
@Suite struct LiveRelationPathTests {
    /// A live query for people, and its notifications.
    private final class Followed {
        let store: PeopleStore
        let queries: LiveQueries
        let number: Int
        var live: LiveQuery

        init(_ definition: QueryDefinition, of store: PeopleStore) throws {
            self.store = store
            queries = LiveQueries(store.engine)
            let runner = try store.runner(definition)
            number = try queries.add(runner) {}
            live = try store.engine.query { try LiveQuery(runner, over: $0) }
            queries.start(number, at: live.sequence)
        }

        /// Returns the effect of a commit: the changes, whether the query was triggered, and the
        /// number of objects that it read.
        func effect(
            after change: (WriteTransaction) throws -> Void
        ) throws -> (difference: ResultDifference?, isWoken: Bool, evaluated: Int) {
            let (woken, evaluated, old) = (queries.counts.concerned, live.judgedCount, live.ids)
            try store.engine.write(change)
            queries.catchUp()
            var difference: ResultDifference?
            while let due = try queries.take(number) {
                let access = QueryAccess(due.view, store.engine.schemas)
                difference = try live.advance(to: access, due.touches) ?? difference
            }
            let wanted = try store.engine.query { try live.query.ids($0) }
            #expect(live.ids == wanted)
            var applied = old
            difference?.apply(to: &applied) { wanted[$0] }
            #expect(applied == wanted)
            return (difference, queries.counts.concerned > woken, live.judgedCount - evaluated)
        }
    }

    private func employed(_ property: String, _ value: QueryValue) -> QueryCondition {
        .compare(.path("employer", property), .equal, .value(value), [])
    }

    private func company(_ name: String, _ size: Int128) -> [String: QueryValue] {
        ["name": .text(name), "size": .integer(size)]
    }

    @Test func `only the used properties of linked objects, and links to them, trigger a query`()
        throws
    {
        let store = try PeopleStore()
        try store.fill(200)
        let employer = try #require(
            store.people.fields.first { $0.name == "employer" }?.relation?.relationID)
        let followed = try Followed(
            QueryDefinition(employed("name", .text("company 3"))), of: store)
        #expect(followed.live.count == 20)
        var effect = try followed.effect {
            try store.put(store.companies, company("company 3", 7), id: 4, in: $0)
        }
        #expect(!effect.isWoken, "the query does not use the size")
        effect = try followed.effect {
            try store.put(store.companies, company("other", 7), id: 4, in: $0)
        }
        #expect(effect.difference?.deletions == Array(0..<20) && effect.evaluated == 20)
        effect = try followed.effect {
            try store.put(store.companies, company("company 3", 1), id: 6, in: $0)
        }
        #expect(effect.difference?.insertions == Array(0..<20) && effect.evaluated == 20)
        effect = try followed.effect {
            try store.put(store.companies, company("new", 1), id: 7, in: $0)
        }
        #expect(effect.isWoken && effect.difference == nil && effect.evaluated == 20)
        effect = try followed.effect { try $0.changes.setTarget(employer, 1, 6) }
        #expect(effect.difference?.insertions == [0] && effect.evaluated == 1)
        effect = try followed.effect { try $0.changes.setTarget(employer, 2, 9) }
        #expect(effect.difference == nil && effect.evaluated == 1)
        effect = try followed.effect { _ = try $0.changes.remove(store.companies.entityID, 6) }
        #expect(effect.difference?.deletions.count == 21)
        #expect(followed.live.runCount == 1)
        try store.engine.close()
    }

    @Test func `an order over links moves objects whose links lead to another value`() throws {
        let store = try PeopleStore()
        try store.fill(100)
        var definition = QueryDefinition(.less("age", .integer(50)))
        definition.orders = [QueryOrder(.expression(.path("employer", "size")))]
        definition.limit = 10
        let followed = try Followed(definition, of: store)
        #expect(followed.live.ids == [1, 11, 21, 31, 41, 2, 12, 22, 32, 42])
        var effect = try followed.effect {
            try store.put(store.companies, company("company 0", 150), id: 1, in: $0)
        }
        #expect(followed.live.ids == [2, 12, 22, 32, 42, 1, 11, 21, 31, 41])
        #expect(effect.difference?.moves.count == 5)
        #expect(effect.difference?.modifications == [], "their rows did not change")
        effect = try followed.effect {
            try store.put(store.companies, company("company 0", 160), id: 1, in: $0)
        }
        #expect(effect.isWoken && effect.difference == nil)
        #expect(followed.live.runCount == 1)
        try store.engine.close()
    }

    @Test func `a relation is also followed backwards from its other end`() throws {
        let store = try PeopleStore()
        try store.fill(100)
        let employer = try #require(
            store.people.fields.first { $0.name == "employer" }?.relation?.relationID)
        let runner = try QueryRunner(
            QueryDefinition(
                .linked(PropertyPath(["staff"]), .any, .equal("age", .integer(30)))),
            of: store.companies.entityID, in: store.model)
        let queries = LiveQueries(store.engine)
        let number = try queries.add(runner) {}
        var live = try store.engine.query { try LiveQuery(runner, over: $0) }
        queries.start(number, at: live.sequence)
        let person = try #require(live.ids.first)
        func advance() throws -> ResultDifference? {
            queries.catchUp()
            guard let due = try queries.take(number) else { return nil }
            return try live.advance(
                to: QueryAccess(due.view, store.engine.schemas), due.touches)
        }
        let ids = try store.engine.query { try runner.ids($0) }
        #expect(live.ids == ids && person == ids[0])
        // A person of age thirty changes the company, and then the age.
        let thirty = UInt64(31)
        try store.engine.write { try $0.changes.setTarget(employer, thirty, 9) }
        var difference = try advance()
        #expect(difference?.deletions == [0] && difference?.insertions == [0])
        #expect(live.ids == [9])
        try store.engine.write { transaction in
            var person = PeopleStore.person(77)
            person["email"] = .text("mail 30")
            try store.put(store.people, person, id: thirty, in: transaction)
        }
        difference = try advance()
        #expect(difference?.deletions == [0] && live.ids.isEmpty)
        #expect(live.runCount == 1)
        try store.engine.close()
    }

    /// A condition on the id at the end of a path.
    private func id(_ names: String..., equals id: Int128) -> QueryCondition {
        .compare(
            .property(PropertyPath(names).appending(.ownId)), .equal, .value(.integer(id)), [])
    }

    /// Returns a query that knows the keys of the changes that trigger it.
    private func prepared(_ condition: QueryCondition, _ store: PeopleStore) throws -> Followed {
        let followed = try Followed(QueryDefinition(condition), of: store)
        _ = try followed.effect {
            try store.put(store.people, PeopleStore.person(98), id: 99, in: $0)
        }
        return followed
    }

    @Test func `a query for an id is triggered by changes of that object only`() throws {
        let store = try PeopleStore([])
        try store.fill(200)
        let employer = try #require(
            store.people.fields.first { $0.name == "employer" }?.relation?.relationID)
        let conditions: [QueryCondition] = [
            id(equals: 5), .and([id(equals: 5), .less("age", .integer(1_000))]),
            .range(
                .property(.ownId), lower: QueryBound(.integer(4), isInclusive: true),
                upper: QueryBound(.integer(6), isInclusive: true)),
        ]
        for (place, condition) in conditions.enumerated() {
            let followed = try prepared(condition, store)
            var effect = try followed.effect {
                try store.put(store.people, PeopleStore.person(8), id: 9, in: $0)
                try store.put(store.people, PeopleStore.person(900), in: $0)
                _ = try $0.changes.setTarget(employer, 10, 2)
            }
            #expect(!effect.isWoken, "\(condition)")
            effect = try followed.effect {
                try store.put(store.people, PeopleStore.person(4), id: 5, in: $0)
            }
            #expect(effect.difference?.modifications.count == 1)
            effect = try followed.effect {
                try $0.changes.setTarget(employer, 5, UInt64(place) + 1)
            }
            #expect(effect.difference?.modifications.count == 1)
        }
        let followed = try prepared(id(equals: 5), store)
        let effect = try followed.effect { _ = try $0.changes.remove(store.people.entityID, 5) }
        #expect(effect.difference?.deletions == [0])
        try store.engine.close()
    }

    @Test func `a query for the objects of another one is triggered by their changes only`()
        throws
    {
        let store = try PeopleStore([])
        try store.fill(200)
        let employer = try #require(
            store.people.fields.first { $0.name == "employer" }?.relation?.relationID)
        let followed = try prepared(id("employer", equals: 4), store)
        #expect(followed.live.count == 20)
        func put(_ id: UInt64, in transaction: WriteTransaction) throws {
            try store.put(store.people, PeopleStore.person(901), id: id, in: transaction)
        }
        var effect = try followed.effect {
            try put(1, in: $0)
            try $0.changes.setTarget(employer, 2, 7)
            _ = try $0.changes.remove(store.people.entityID, 3)
            let id = try store.put(store.people, PeopleStore.person(902), in: $0)
            try $0.changes.setTarget(employer, id, 5)
            try store.put(store.companies, company("other", 1), id: 6, in: $0)
            try store.put(store.companies, company("new", 1), in: $0)
            _ = try $0.changes.remove(store.companies.entityID, 10)
        }
        #expect(!effect.isWoken)
        effect = try followed.effect { try put(4, in: $0) }
        #expect(effect.difference?.modifications == [0])
        effect = try followed.effect { try $0.changes.setTarget(employer, 1, 4) }
        #expect(effect.difference?.insertions == [0])
        effect = try followed.effect { try $0.changes.setTarget(employer, 14, 2) }
        #expect(effect.difference?.deletions == [2])
        effect = try followed.effect { _ = try $0.changes.remove(store.people.entityID, 4) }
        #expect(effect.difference?.deletions == [1])
        effect = try followed.effect { _ = try $0.changes.remove(store.companies.entityID, 4) }
        #expect(effect.difference?.deletions.count == 19)
        #expect(followed.live.runCount == 1)
        try store.engine.close()
    }

    @Test func `a condition on a related object with an id reads that object only`() throws {
        let store = try PeopleStore([])
        try store.fill(100)
        let followed = try prepared(
            .and([id("employer", equals: 4), employed("name", .text("company 3"))]), store)
        #expect(followed.live.count == 10)
        var effect = try followed.effect {
            try store.put(store.companies, company("other", 1), id: 6, in: $0)
        }
        #expect(!effect.isWoken)
        effect = try followed.effect {
            try store.put(store.companies, company("other", 1), id: 4, in: $0)
        }
        #expect(effect.difference?.deletions.count == 10)
        try store.engine.close()
    }
}
