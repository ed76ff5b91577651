import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
@testable import DaybookQuery
import Testing

/// Plans with known pitfalls, compared with a plain scan.
@Suite struct PlanTests {
    private func check(
        _ store: PeopleStore, _ definition: QueryDefinition, uses index: String
    ) throws -> ExplainedQuery {
        try store.engine.query { access in
            let all = Set((store.people.indexes + store.companies.indexes).map(\.indexID))
            let wanted = try store.runner(definition, hint: .scan).ids(access)
            let runner = try store.runner(definition, hint: .indexes(all))
            let plan = try runner.explain(access, isRun: true)
            #expect(plan.indexes.contains(index), "\(plan)")
            #expect(try runner.ids(access) == wanted, "\(plan)")
            #expect(try runner.count(access) == wanted.count, "\(plan)")
            return plan
        }
    }

    private func ordered(_ name: String, limit: Int, isDescending: Bool) -> QueryDefinition {
        var definition = QueryDefinition()
        var order = QueryOrder(.expression(.path(name)))
        order.isDescending = isDescending
        order.isCaseSensitive = true
        definition.orders = [order]
        definition.limit = limit
        return definition
    }

    private func actual(_ plan: ExplainedQuery, _ text: String) -> Int? {
        func find(_ step: ExplainedQuery.Step) -> Int? {
            if step.text.hasPrefix(text) { return step.actual }
            return step.steps.lazy.compactMap { find($0) }.first
        }
        return find(plan.root)
    }

    @Test func `ties at the end of a descending index scan are in id order`() throws {
        let store = try PeopleStore()
        try store.fill(3000)
        // Thirty people of each age; a descending scan returns the highest ids first.
        let plan = try check(
            store, ordered("age", limit: 5, isDescending: true), uses: "age")
        let seen = try #require(actual(plan, "index order"))
        #expect(seen >= 30 && seen < 200, "\(plan)")
    }

    @Test func `a transaction with many puts finds one of its objects with the index`() throws {
        let store = try PeopleStore()
        try store.engine.write { transaction in
            for number in 0..<1500 {
                try store.put(store.people, PeopleStore.person(number), in: transaction)
            }
            var definition = QueryDefinition(.equal("name", .text("name 17")))
            definition.limit = 1
            try store.engine.query { access in
                let plan = try store.runner(definition).explain(access, isRun: true)
                #expect(plan.indexes == ["name"], "\(plan)")
                #expect(try store.runner(definition).ids(access) == [18], "\(plan)")
                let run = try QueryRun(store.runner(definition), access, reads: .ids)
                #expect(try run.ids() == [18])
                #expect(run.rowCount <= 2, "\(plan)")
            }
        }
    }

    @Test func `an index scan in id order within ties stops at the limit`() throws {
        let store = try PeopleStore()
        try store.fill(3000)
        let plan = try check(
            store, ordered("age", limit: 5, isDescending: false), uses: "age")
        #expect(try #require(actual(plan, "index order")) < 10, "\(plan)")
    }

    @Test(arguments: [false, true], [false, true])
    func `nulls are at the requested end of the order`(isDescending: Bool, areLast: Bool) throws {
        let store = try PeopleStore()
        try store.fill(200)
        for limit in [3, 60, 199] {
            var definition = ordered("score", limit: limit, isDescending: isDescending)
            definition.orders[0].areNullsLast = areLast
            _ = try check(store, definition, uses: "score")
        }
    }

    @Test(arguments: ["name", "city"])
    func `a list of more than 4,096 values uses an index`(name: String) throws {
        let store = try PeopleStore()
        try store.fill(5000)
        let values = (0..<4500).map { QueryValue.text($0 % 100 == 0 ? "name \($0)" : "x \($0)") }
        let wanted = QueryDefinition(.oneOf(.path(name), values + [.text("city 3")], []))
        _ = try check(store, wanted, uses: name)
    }

    @Test func `a list of more values than there are objects is evaluated row by row`() throws {
        let store = try PeopleStore()
        try store.fill(50)
        let values = (0..<5000).map { QueryValue.text("name \($0)") }
        try store.engine.query { access in
            let plan = try store.runner(QueryDefinition(.oneOf(.path("name"), values, [])))
                .explain(access, isRun: true)
            #expect(plan.indexes.isEmpty, "\(plan)")
            #expect(plan.root.actual == 50, "\(plan)")
        }
    }

    @Test func `an index scan that finds too little is abandoned`() throws {
        let store = try PeopleStore()
        try store.fill(5000)
        // A price that no object has and no index covers.
        var definition = ordered("age", limit: 1, isDescending: false)
        definition.condition = .equal("price", .decimal("99"))
        try store.engine.query { access in
            let runner = try store.runner(definition)
            #expect(try runner.ids(access) == [])
            let plan = try runner.explain(access, isRun: true)
            #expect(actual(plan, "index order") == nil, "\(plan)")
            #expect(actual(plan, "filter") == 0, "\(plan)")
            let run = try QueryRun(runner, access, reads: .ids)
            #expect(run.plan.walk != nil)
            _ = try run.ids()
            #expect(run.rowCount < 9000)
        }
    }

    @Test func `index candidates for strings that differ in case do not exclude other objects`()
        throws
    {
        let store = try PeopleStore([IndexDeclaration(columns: ["name"], kind: .folded)])
        try store.engine.write { transaction in
            for name in ["a", "A", "b", "Ä", "ä"] {
                try store.put(store.people, ["name": .text(name)], in: transaction)
            }
        }
        let name = QueryExpression.path("name")
        for value in ["a", "A", "ä", "x"] {
            let value = QueryExpression.value(.text(value))
            for condition in [
                QueryCondition.compare(name, .equal, value, []),
                .compare(name, .equal, value, .caseInsensitive),
                .compare(name, .notEqual, value, .caseInsensitive),
                .text(name, .hasPrefix, value, []),
                .not(.text(name, .hasPrefix, value, .caseInsensitive)),
            ] {
                _ = try check(store, QueryDefinition(condition), uses: "name")
            }
            // The index cannot evaluate this condition.
            let condition = QueryCondition.compare(name, .notEqual, value, [])
            try store.engine.query { access in
                let wanted = try store.runner(QueryDefinition(condition), hint: .scan).ids(access)
                #expect(try store.runner(QueryDefinition(condition)).ids(access) == wanted)
                let all = PlanHint.indexes(Set(store.people.indexes.map(\.indexID)))
                #expect(
                    try store.runner(QueryDefinition(condition), hint: all).ids(access) == wanted)
            }
        }
    }

    @Test func `different keys with the same hash are distinguished`() throws {
        let store = try PeopleStore([IndexDeclaration(columns: ["city"], kind: .hash)])
        try store.fill(10)
        let condition = QueryCondition.equal("city", .text("city 3"))
        let plan = try check(store, QueryDefinition(condition), uses: "city")
        #expect(plan.root.text == "filter city == \"city 3\"", "\(plan)")
    }

    @Test func `ids in two conditions may belong to missing objects`() throws {
        let store = try PeopleStore()
        try store.fill(3)
        let id = QueryExpression.property(.ownId)
        let ids = [[2, 99], [99, 2, 1]].map { ids in
            QueryCondition.oneOf(id, ids.map { .integer($0) }, [])
        }
        let all = Set(store.people.indexes.map(\.indexID))
        try store.engine.query { access in
            for hint in [PlanHint.cheapest, .scan, .indexes(all)] {
                for (condition, wanted) in [
                    (QueryCondition.and(ids), [2]), (.or(ids), [1, 2]), (ids[0], [2]),
                ] as [(QueryCondition, [UInt64])] {
                    let runner = try store.runner(QueryDefinition(condition), hint: hint)
                    #expect(try runner.ids(access) == wanted, "\(hint)")
                    #expect(try runner.count(access) == wanted.count, "\(hint)")
                }
            }
        }
    }

    @Test func `a string with several words of one prefix is counted once`() throws {
        let store = try PeopleStore([IndexDeclaration(columns: ["name"], kind: .text)])
        try store.engine.write { transaction in
            for name in ["small smart", "smart", "big"] {
                try store.put(store.people, ["name": .text(name)], in: transaction)
            }
        }
        let words = QueryCondition.matches(PropertyPath(["name"]), "sma*")
        _ = try check(store, QueryDefinition(words), uses: "name")
    }

    @Test func `a visit in a transaction ends even if its closure puts objects`()
        throws
    {
        let store = try PeopleStore()
        try store.fill(40)
        try store.engine.write { transaction in
            try store.engine.query { access in
                var count = 0
                try store.runner(QueryDefinition()).forEachRow(access) { _ in
                    count += 1
                    try store.put(store.people, PeopleStore.person(1000 + count), in: transaction)
                    return count < 100
                }
                #expect(count == 40)
            }
        }
    }

    @Test func `relevance can be combined with other orders`() throws {
        let store = try PeopleStore([IndexDeclaration(columns: ["name"], kind: .text)])
        try store.engine.write { transaction in
            for name in ["red green blue", "red", "blue", "red red", "RED", "red green"] {
                try store.put(store.people, ["name": .text(name)], in: transaction)
            }
        }
        var definition = QueryDefinition(.matches(PropertyPath(["name"]), "red"))
        definition.orders = [QueryOrder(.relevance)]
        let plan = try check(store, definition, uses: "name")
        #expect(plan.root.text == "sort by relevance")
        try store.engine.query { access in
            let found = try store.runner(definition).ids(access)
            #expect(found == [4, 2, 5, 6, 1])
            definition.orders[0].isDescending = true
            definition.limit = 2
            let last = try store.runner(definition).ids(access)
            #expect(last == [1, 6])
        }
        definition.condition = .always(true)
        store.engine.check("relevance to nothing", .invalidArgument) { _ in
            _ = try store.runner(definition)
        }
    }

    @Test func `a limited query does not read all objects`() throws {
        let store = try PeopleStore()
        try store.fill(3000)
        func rows(
            _ change: (inout QueryDefinition) -> Void, _ reads: QueryReads = .ids
        ) throws -> Int {
            var definition = QueryDefinition()
            change(&definition)
            let runner = try store.runner(definition)
            return try store.engine.query { access in
                let run = try QueryRun(runner, access, reads: reads)
                if reads == .count { _ = try run.count() } else { _ = try run.ids() }
                return run.rowCount
            }
        }
        // Every seventh person has the price.
        let price = QueryCondition.equal("price", .decimal("3.5"))
        #expect(try rows { ($0.condition, $0.limit) = (price, 3) } == 18)
        #expect(try rows { ($0.condition, $0.offset, $0.limit) = (price, 1, 3) } == 25)
        #expect(try rows({ ($0.condition, $0.limit) = (price, 3) }, .count) == 18)
        #expect(try rows { $0.condition = price } == 3000)
        // An index evaluates the whole condition.
        #expect(try rows { $0.condition = .equal("age", .integer(3)) } == 0)
        #expect(try rows({ $0.condition = .less("age", .integer(90)) }, .count) == 0)
        #expect(try rows({ _ in }, .count) == 0)
        // An index evaluates a part of the condition.
        #expect(
            try rows { $0.condition = .and([.equal("age", .integer(3)), price]) } == 30)
    }

    @Test(arguments: [nil, 40] as [Int?])
    func `a row scan reads pages of rows`(limit: Int?) throws {
        let store = try PeopleStore()
        try store.fill(3000)
        var definition = QueryDefinition(.equal("price", .decimal("3.5")))
        definition.offset = 2
        definition.limit = limit
        let runner = try store.runner(definition)
        try store.engine.query { access in
            let run = try QueryRun(runner, access, reads: .rows)
            var found: [UInt64] = []
            try run.forEachRow { row in
                found.append(row.id)
                return found.count < 5
            }
            #expect(run.rowCount < 500)
            let all = try runner.ids(access)
            #expect(found == Array(all.prefix(5)))
            found = []
            try runner.forEachRow(access) { row in
                found.append(row.id)
                return true
            }
            #expect(found == all)
        }
    }

    @Test func `negative offsets and limits are refused`() throws {
        let store = try PeopleStore()
        for change in [(-1, 3), (0, -1)] {
            var definition = QueryDefinition()
            (definition.offset, definition.limit) = change
            store.engine.check("\(change)", .invalidArgument) { _ in
                _ = try store.runner(definition)
            }
        }
        var definition = QueryDefinition()
        (definition.offset, definition.limit) = (.max, .max)
        try store.engine.query { access in
            let runner = try store.runner(definition)
            #expect(try runner.ids(access) == [])
            #expect(try runner.count(access) == 0)
        }
    }
}
