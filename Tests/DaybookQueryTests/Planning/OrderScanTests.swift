import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
@testable import DaybookQuery
import Testing

/// The first objects in an order, by an index scan, compared with a complete sort.
@Suite struct OrderScanTests {
    /// Returns a store with few values, so that there are many ties, and with no value in the order
    /// of ids.
    private func store(_ index: IndexDeclaration) throws -> PeopleStore {
        let store = try PeopleStore([index])
        try store.engine.write { transaction in
            for number in 0..<48 {
                let place = number * 29 % 48
                try store.put(
                    store.people,
                    [
                        "name": .text(["b", "A", "a", "B"][place % 4]),
                        "age": .integer(Int128(place / 12) - 1),
                        "score": place % 3 == 0 ? .null : .number(Double(place % 5) - 2),
                        "city": .text("city \(place % 7)"),
                        "price": .decimal(["1", "1.0", "-2", "NaN"][place % 4]),
                    ], in: transaction)
            }
        }
        return store
    }

    /// Returns all orders by some properties, with every relevant option.
    private func orders(_ names: [String]) -> [[QueryOrder]] {
        names.reduce([[]]) { orders, name in
            let isText = name == "name" || name == "city"
            return orders.flatMap { order in
                (0..<16).compactMap { bits in
                    var key = QueryOrder(.expression(.path(name)))
                    key.isDescending = bits & 1 != 0
                    key.areNullsLast = bits & 2 != 0
                    key.areNullsZero = bits & 4 != 0
                    key.isCaseSensitive = bits & 8 != 0
                    if name != "score", key.areNullsLast || key.areNullsZero { return nil }
                    return isText || !key.isCaseSensitive ? order + [key] : nil
                }
            }
        }
    }

    private func check(
        _ store: PeopleStore, _ definition: QueryDefinition
    ) throws -> Bool {
        try store.engine.query { access in
            let wanted = try store.runner(definition, hint: .scan).ids(access)
            let all = PlanHint.indexes(Set(store.people.indexes.map(\.indexID)))
            let run = try QueryRun(store.runner(definition, hint: all), access, reads: .ids)
            let isWalk = run.plan.walk != nil
            #expect(try run.ids() == wanted, "\(definition)")
            return isWalk
        }
    }

    @Test(
        arguments: [
            (IndexDeclaration(columns: ["age", "city"]), ["age"]),
            (IndexDeclaration(columns: ["age", "city"]), ["age", "city"]),
            (IndexDeclaration(columns: ["age", "score"]), ["age", "score"]),
            (IndexDeclaration(columns: ["score", "age"]), ["score", "age"]),
            (IndexDeclaration(columns: ["name", "age"]), ["name", "age"]),
            (IndexDeclaration(columns: ["name"], kind: .folded), ["name"]),
            (IndexDeclaration(columns: ["price"]), ["price"]),
            (IndexDeclaration(columns: ["age"], kind: .hash), ["age"]),
        ], [1, 5, 30])
    func `an index scan gives the first objects of an order, or is not used`(
        _ indexed: (IndexDeclaration, by: [String]), limit: Int
    ) throws {
        let store = try store(indexed.0)
        var walkCount = 0
        for orders in orders(indexed.by) {
            var definition = QueryDefinition()
            definition.orders = orders
            definition.limit = limit
            if try check(store, definition) { walkCount += 1 }
        }
        let isOrdered = indexed.0.kind != .hash && indexed.by != ["price"]
        #expect(isOrdered == (walkCount > 0))
    }

    @Test func `an index scan skips objects that do not match its condition`() throws {
        let store = try store(IndexDeclaration(columns: ["city", "age"]))
        for city in ["city 3", "city 9"] {
            for orders in orders(["age"]) {
                for other in [QueryCondition.always(true), .greater("score", .integer(0))] {
                    var definition = QueryDefinition(.and([.equal("city", .text(city)), other]))
                    definition.orders = orders
                    definition.limit = 3
                    #expect(try check(store, definition))
                }
            }
        }
    }

    @Test func `an index scan in a transaction includes its changes`() throws {
        let store = try store(IndexDeclaration(columns: ["age"]))
        try store.engine.write { transaction in
            // The index still contains the first three under their old keys, which are not the
            // smallest.
            for id in UInt64(1)...3 {
                try store.put(
                    store.people, ["age": .integer(Int128(id) - 9), "price": .decimal("7")],
                    id: id, in: transaction)
            }
            _ = try transaction.changes.remove(store.people.entityID, 4)
            for condition in [QueryCondition.always(true), .equal("price", .integer(1))] {
                for orders in orders(["age"]) {
                    for limit in [2, 40] {
                        var definition = QueryDefinition(condition)
                        definition.orders = orders
                        definition.limit = limit
                        #expect(try check(store, definition))
                    }
                }
            }
        }
    }
}
