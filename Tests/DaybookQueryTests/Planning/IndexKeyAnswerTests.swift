import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
@testable import DaybookQuery
import Testing

/// Values whose index key differs from the stored value.
@Suite struct IndexKeyAnswerTests {
    @Test func `canonically equivalent spellings are different words`() throws {
        let store = try PeopleStore([IndexDeclaration(columns: ["name"], kind: .text)])
        let (one, other) = ("\u{AC00}", "\u{1100}\u{1161}")
        try store.engine.write { transaction in
            for name in [one, other, one + " " + other] {
                try store.put(store.people, ["name": .text(name)], in: transaction)
            }
        }
        let condition = QueryCondition.matches(PropertyPath(["name"]), one + " " + other)
        try store.engine.query { access in
            let all = Set(store.people.indexes.map(\.indexID))
            for hint in [PlanHint.cheapest, .scan, .indexes(all)] {
                let found = try store.runner(QueryDefinition(condition), hint: hint).ids(access)
                #expect(found == [3], "\(hint)")
            }
        }
    }

    @Test func `a decimal that was never set is zero in every plan`() throws {
        let store = try PeopleStore([IndexDeclaration(columns: ["price"])])
        try store.engine.write { transaction in
            try store.put(store.people, ["name": .text("a")], in: transaction)
            try store.put(store.people, ["price": .decimal("0.0")], in: transaction)
            try store.put(store.people, ["price": .decimal("1")], in: transaction)
        }
        let condition = QueryCondition.equal("price", .integer(0))
        try store.engine.query { access in
            let all = Set(store.people.indexes.map(\.indexID))
            for hint in [PlanHint.scan, .indexes(all)] {
                let found = try store.runner(QueryDefinition(condition), hint: hint).ids(access)
                #expect(found == [1, 2], "\(hint)")
            }
        }
    }

    @Test func `no plan finds a decimal NaN in a range`() throws {
        let store = try PeopleStore([IndexDeclaration(columns: ["price"])])
        try store.engine.write { transaction in
            for price in ["NaN", "1", "-3", "1.00", "2"] {
                try store.put(store.people, ["price": .decimal(price)], in: transaction)
            }
        }
        let one = QueryValue.integer(1)
        try store.engine.query { access in
            let all = Set(store.people.indexes.map(\.indexID))
            for (condition, wanted) in [
                (.greater("price", one), [5]), (.not(.less("price", one)), [1, 2, 4, 5]),
                (.equal("price", one), [2, 4]), (.not(.equal("price", one)), [1, 3, 5]),
                (.greater("price", .number(-.infinity)), [2, 3, 4, 5]),
            ] as [(QueryCondition, [UInt64])] {
                for hint in [PlanHint.cheapest, .scan, .indexes(all)] {
                    let runner = try store.runner(QueryDefinition(condition), hint: hint)
                    #expect(try runner.ids(access) == wanted, "\(condition) \(hint)")
                }
            }
            let prices = try QueryAggregates(
                store.runner(QueryDefinition()), of: .path("price"))
            #expect(try prices.maximum(access) == .decimal("2"))
            #expect(try prices.minimum(access) == .decimal("-3"))
        }
    }

    // An index stores only the first 16 MiB of a key.
    @Test func `strings that an index truncates are found and sorted`()
        throws
    {
        let store = try PeopleStore([IndexDeclaration(columns: ["city", "name"])])
        let long = String(repeating: "x", count: IndexKey.lengthMax - 50)
        let city = String(repeating: "y", count: 60)
        try store.engine.write { transaction in
            for last in ["b", "a"] {
                try store.put(
                    store.people, ["city": .text(city), "name": .text(long + last)],
                    in: transaction)
            }
        }
        try store.engine.query { access in
            let all = PlanHint.indexes(Set(store.people.indexes.map(\.indexID)))
            var definition = QueryDefinition(.equal("city", .text(city)))
            var order = QueryOrder(.expression(.path("name")))
            order.isCaseSensitive = true
            definition.orders = [order]
            definition.limit = 1
            let found = try store.runner(definition, hint: all).ids(access)
            #expect(found == [2])
            let both = QueryCondition.and([
                definition.condition, .equal("name", .text(long + "b")),
            ])
            let other = try store.runner(QueryDefinition(both), hint: all).ids(access)
            #expect(other == [1])
        }
    }

    @Test func `an index with truncated strings gives the right minimum`() throws {
        let store = try PeopleStore([IndexDeclaration(columns: ["name"])])
        let long = String(repeating: "x", count: IndexKey.lengthMax)
        try store.engine.write { transaction in
            for last in ["b", "a"] {
                try store.put(store.people, ["name": .text(long + last)], in: transaction)
            }
        }
        try store.engine.query { access in
            let values = try QueryAggregates(
                store.runner(QueryDefinition()), of: .path("name"))
            let least = try values.minimum(access)
            #expect(least == .text(long + "a"))
        }
    }
}
