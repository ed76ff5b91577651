import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
@testable import DaybookQuery
import Testing

/// Offsets, limits, orders and distinct results, compared with the known content of the store.
@Suite struct QueryShapeTests {
    private func ids(
        _ store: PeopleStore, _ definition: QueryDefinition
    ) throws -> [UInt64] {
        let runner = try store.runner(definition)
        return try store.engine.query { access in
            let ids = try runner.ids(access)
            let rows = try runner.rows(access).map(\.id)
            #expect(rows == ids)
            var given: [UInt64] = []
            try runner.forEachRow(access) { row in
                given.append(row.id)
                return true
            }
            #expect(given == ids)
            #expect(try runner.count(access) == ids.count)
            #expect(try runner.exists(access) == !ids.isEmpty)
            #expect(try runner.first(access)?.id == ids.first)
            return ids
        }
    }

    private func order(_ expression: QueryExpression, isDescending: Bool = false) -> QueryOrder {
        var order = QueryOrder(.expression(expression))
        order.isDescending = isDescending
        return order
    }

    @Test func `results are ordered by id in both directions`() throws {
        let store = try PeopleStore()
        try store.fill(40)
        let id = QueryExpression.property(.ownId)
        for isDescending in [false, true] {
            var definition = QueryDefinition(.greater("age", .integer(9)))
            definition.orders = [order(id, isDescending: isDescending), order(.path("age"))]
            let found = try ids(store, definition)
            #expect(found == (isDescending ? Array((11...40).reversed()) : Array(11...40)))
            definition.offset = 2
            definition.limit = 3
            let some = try ids(store, definition)
            #expect(some == Array(found[2..<5]))
        }
    }

    @Test func `distinct keeps the first of equal objects in the order`() throws {
        let store = try PeopleStore()
        // Objects whose ids differ by 20 have the same city.
        try store.fill(40)
        var definition = QueryDefinition()
        definition.distinct = [PropertyPath(["city"])]
        #expect(try ids(store, definition) == Array(1...20))
        definition.orders = [order(.path("age"), isDescending: true)]
        #expect(try ids(store, definition) == Array((21...40).reversed()))
        definition.offset = 18
        definition.limit = 5
        #expect(try ids(store, definition) == [22, 21])
        definition.orders = [order(.path("employer", "name")), order(.path("age"))]
        definition.offset = 0
        #expect(try ids(store, definition) == [1, 11, 2, 12, 3])
    }

    @Test func `a limit of zero gives no results, in every order`() throws {
        let store = try PeopleStore()
        try store.fill(10)
        for expression in [QueryExpression.property(.ownId), .path("age"), .path("price")] {
            for distinct in [[], [PropertyPath(["city"])]] {
                var definition = QueryDefinition()
                definition.orders = [order(expression)]
                definition.distinct = distinct
                definition.limit = 0
                #expect(try ids(store, definition) == [])
                definition.limit = 3
                definition.offset = 10
                #expect(try ids(store, definition) == [])
            }
        }
    }
}
