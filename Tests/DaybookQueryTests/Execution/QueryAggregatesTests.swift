import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
@testable import DaybookQuery
import Testing

/// Aggregates of property values over query results.
@Suite struct QueryAggregatesTests {
    private func store(_ ages: [Int128], scores: [Double?] = []) throws -> PeopleStore {
        let store = try PeopleStore()
        try store.engine.write { transaction in
            for (number, age) in ages.enumerated() {
                var values: [String: QueryValue] = [
                    "age": .integer(age), "email": .text("\(number)"),
                    "name": .text(number % 2 == 0 ? "Ann" : "ann"),
                    "price": .decimal("\(number).1"),
                ]
                if let score = scores.dropFirst(number).first, let score {
                    values["score"] = .number(score)
                }
                try store.put(store.people, values, in: transaction)
            }
        }
        return store
    }

    private func aggregates(
        _ store: PeopleStore, _ name: String, _ condition: QueryCondition = .always(true),
        hint: PlanHint = .cheapest
    ) throws -> QueryAggregates {
        try QueryAggregates(
            store.runner(QueryDefinition(condition), hint: hint), of: .path(name))
    }

    @Test func `sums, extremes and averages cover the existing values`() throws {
        let store = try store([3, -1, 7, 7], scores: [1.5, nil, 2, nil])
        try store.engine.query { access in
            let ages = try aggregates(store, "age")
            #expect(try ages.sum(access) == .integer(16))
            #expect(try ages.minimum(access) == .integer(-1))
            #expect(try ages.maximum(access) == .integer(7))
            #expect(try ages.average(access) == 4)
            #expect(try ages.count(access) == 4)
            #expect(try ages.values(access) == [3, -1, 7, 7].map { .integer($0) })
            let scores = try aggregates(store, "score")
            #expect(try scores.sum(access) == .number(3.5))
            #expect(try scores.count(access) == 2)
            #expect(try scores.values(access) == [.number(1.5), .number(2)])
            #expect(try aggregates(store, "price").sum(access) == .decimal("6.4"))
        }
    }

    @Test func `distinct aggregates count equal values once`() throws {
        let store = try store([3, -1, 7, 7, 3], scores: [0, -0.0, .nan, .nan, nil])
        try store.engine.query { access in
            var ages = try aggregates(store, "age")
            ages.isDistinct = true
            #expect(try ages.values(access) == [3, -1, 7].map { .integer($0) })
            #expect(try ages.count(access) == 3)
            #expect(try ages.sum(access) == .integer(9))
            var scores = try aggregates(store, "score")
            scores.isDistinct = true
            #expect(try scores.count(access) == 2)
            scores.nullValue = .number(9)
            #expect(try scores.count(access) == 3)
            var names = try aggregates(store, "name")
            names.isDistinct = true
            #expect(try names.values(access) == [.text("Ann"), .text("ann")])
            names.ignoresCase = true
            #expect(try names.values(access) == [.text("Ann")])
        }
    }

    @Test func `a substitute for null that equals other values is counted once with them`() throws {
        let store = try store([1, 2, 3, 4], scores: [nil, 5, nil, 6])
        try store.engine.query { access in
            var scores = try aggregates(store, "score")
            scores.isDistinct = true
            scores.nullValue = .number(5)
            #expect(try scores.values(access) == [5, 6].map { .number($0) })
            #expect(try scores.count(access) == 2)
            #expect(try scores.sum(access) == .number(11))
        }
    }

    @Test func `a substitute for null is aggregated like other values`() throws {
        let store = try store([1, 2, 3], scores: [nil, 5, nil])
        try store.engine.query { access in
            var scores = try aggregates(store, "score")
            scores.nullValue = .number(-1)
            #expect(try scores.values(access) == [-1, 5, -1].map { .number($0) })
            #expect(try scores.count(access) == 3)
            #expect(try scores.minimum(access) == .number(-1))
            #expect(try scores.sum(access) == .number(3))
        }
    }

    @Test func `an empty result has the count and the sum 0, and no extremes`() throws {
        let store = try store([])
        try store.engine.query { access in
            for name in ["age", "score"] {
                let none = try aggregates(store, name)
                #expect(try none.count(access) == 0)
                #expect(try none.minimum(access) == .null)
                #expect(try none.maximum(access) == .null)
                #expect(try none.average(access) == nil)
            }
            #expect(try aggregates(store, "age").sum(access) == .integer(0))
            #expect(try aggregates(store, "score").sum(access) == .number(0))
            #expect(try aggregates(store, "price").sum(access) == .decimal("0"))
        }
    }

    @Test(arguments: [PlanHint.cheapest, .scan])
    func `NaN is an extreme only if there are no other numbers`(hint: PlanHint) throws {
        for (scores, least, most) in [
            ([Double.nan, 2, -1, .nan], -1.0, 2.0), ([.infinity, 0, .nan, nil], 0, .infinity),
        ] {
            let store = try store([1, 2, 3, 4], scores: scores)
            try store.engine.query { access in
                let scores = try aggregates(store, "score", hint: hint)
                #expect(try scores.minimum(access) == .number(least))
                #expect(try scores.maximum(access) == .number(most))
            }
        }
        let store = try store([1, 2], scores: [.nan, .nan])
        try store.engine.query { access in
            guard case .number(let number) = try aggregates(store, "score").maximum(access) else {
                Issue.record("NaN is a value")
                return
            }
            #expect(number.isNaN)
        }
    }

    @Test func `a minimum or maximum covers the changes of the running transaction`() throws {
        let store = try store([3, 9])
        try store.engine.write { transaction in
            try store.put(
                store.people, ["age": .integer(50), "email": .text("x")], in: transaction)
            _ = try transaction.changes.remove(store.people.entityID, 1)
            try store.engine.query { access in
                let ages = try aggregates(store, "age")
                #expect(try ages.minimum(access) == .integer(9))
                #expect(try ages.maximum(access) == .integer(50))
                #expect(try ages.count(access) == 2)
            }
        }
    }

    @Test func `offset, limit and distinct of the query determine the aggregated values`() throws {
        let store = try store([5, 1, 4, 2, 3])
        var definition = QueryDefinition()
        definition.orders = [QueryOrder(.expression(.path("age")))]
        definition.offset = 1
        definition.limit = 3
        try store.engine.query { access in
            let some = try QueryAggregates(store.runner(definition), of: .path("age"))
            #expect(try some.values(access) == [2, 3, 4].map { .integer($0) })
            #expect(try some.sum(access) == .integer(9))
            #expect(try some.maximum(access) == .integer(4))
            #expect(try some.count(access) == 3)
        }
    }

    @Test func `an index with more entries than the query's results gives no aggregate`()
        throws
    {
        let store = try store([5, 1, 4, 9], scores: [nil, 2, 3, 7])
        let condition = QueryCondition.and([
            .greater("age", .integer(1)), .less("score", .number(7)),
        ])
        try store.engine.query { access in
            for name in ["age", "score"] {
                let some = try aggregates(store, name, condition)
                let only = QueryValue.integer(name == "age" ? 4 : 3)
                #expect(try some.minimum(access).isEqual(to: only))
                #expect(try some.maximum(access).isEqual(to: only))
                #expect(try some.count(access) == 1)
            }
            #expect(try aggregates(store, "score", .always(false)).count(access) == 0)
        }
    }

    @Test func `only numbers can be summed`() throws {
        let store = try store([1])
        store.engine.check("sum of names", .invalidArgument) { access in
            _ = try aggregates(store, "name").sum(access)
        }
        store.engine.check("average of names", .invalidArgument) { access in
            _ = try aggregates(store, "name").average(access)
        }
    }
}

extension Engine {
    /// Expects that a query fails with an error.
    func check(
        _ what: String, _ code: DaybookError.Code, _ body: (QueryAccess) throws -> Void
    ) {
        do {
            try query(body)
            Issue.record("\(what): no error")
        } catch {
            #expect((error as? DaybookError)?.code == code, "\(what): \(error)")
        }
    }
}
