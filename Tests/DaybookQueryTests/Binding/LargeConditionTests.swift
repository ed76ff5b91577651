import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
@testable import DaybookQuery
import Testing

/// Conditions with the maximum number of parts: neither the stack nor the memory is exhausted.
@Suite struct LargeConditionTests {
    @Test(arguments: [false, true])
    func `a condition with very many parts gives the same result as one with few`(isAnd: Bool)
        throws
    {
        let store = try PeopleStore()
        try store.fill(50)
        // The last part determines the result.
        let parts = (0..<60_000).map { number -> QueryCondition in
            let value = QueryValue.integer(Int128(1_000 + number))
            return isAnd ? .less("age", value) : .equal("age", value)
        }
        let last = QueryCondition.equal("age", .integer(30))
        let condition: QueryCondition = isAnd ? .and(parts + [last]) : .or(parts + [last])
        try store.engine.query { access in
            let wanted = try store.runner(QueryDefinition(last), hint: .scan).ids(access)
            #expect(!wanted.isEmpty)
            let found = try store.runner(QueryDefinition(condition), hint: .scan).ids(access)
            #expect(found == wanted)
        }
    }

    @Test func `the memory of a plan does not grow quadratically with the number of parts`() throws
    {
        let store = try PeopleStore()
        try store.fill(50)
        let parts = (0..<20_000).map { number in
            QueryCondition.range(
                .property(.ownId),
                lower: QueryBound(.integer(Int128(number % 7)), isInclusive: true),
                upper: QueryBound(.integer(Int128(1_000 + number)), isInclusive: true))
        }
        try store.engine.query { access in
            let found = try store.runner(QueryDefinition(.and(parts))).ids(access)
            #expect(found.count == 45)
        }
    }

    @Test func `a plan skips a limited number of gaps`() throws {
        let store = try PeopleStore()
        try store.fill(200)
        let parts = (0..<5_000).map { number in
            QueryCondition.not(.equal("age", .integer(Int128(10 + 2 * number))))
        }
        let condition = QueryCondition.and(parts + [.less("age", .integer(14))])
        try store.engine.query { access in
            let all = PlanHint.indexes(Set(store.people.indexes.map(\.indexID)))
            let wanted = try store.runner(QueryDefinition(condition), hint: .scan).ids(access)
            #expect(wanted.count == 24)
            let found = try store.runner(QueryDefinition(condition), hint: all).ids(access)
            #expect(found == wanted)
        }
    }

    @Test func `a pattern from a property has the same length limit as a constant pattern`() throws
    {
        let store = try PeopleStore([])
        let short = String(repeating: "a?", count: 200)
        try store.engine.write { transaction in
            let text = String(repeating: "a", count: 1_000)
            for pattern in ["*" + short + "b*", short + "*"] {
                try store.put(
                    store.people, ["name": .text(text), "city": .text(pattern)], in: transaction)
            }
        }
        let condition = QueryCondition.text(.path("name"), .like, .path("city"), [])
        try store.engine.query { access in
            let found = try store.runner(QueryDefinition(condition)).ids(access)
            #expect(found == [2])
        }
        try store.engine.write { transaction in
            let long = String(repeating: "a?", count: 40_000)
            try store.put(
                store.people, ["name": .text("a"), "city": .text(long)], in: transaction)
        }
        store.engine.check("the pattern of the third", .invalidArgument) { access in
            _ = try store.runner(QueryDefinition(condition)).ids(access)
        }
    }
}
