import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
@testable import DaybookQuery
import Testing

/// Groups of query results.
@Suite struct QueryGroupsTests {
    private func store() throws -> PeopleStore {
        let store = try PeopleStore()
        try store.fill(100)
        return store
    }

    private func groups(
        _ store: PeopleStore, _ definition: GroupDefinition,
        _ condition: QueryCondition = .always(true)
    ) throws -> [QueryGroups.Group] {
        let groups = try QueryGroups(store.runner(QueryDefinition(condition)), definition)
        return try store.engine.query { try groups.groups($0) }
    }

    @Test func `objects with equal values form a group, in the order of the values`() throws {
        let definition = GroupDefinition(
            by: [.path("city")],
            values: [
                .init(.count), .init(.sum, of: .path("age")), .init(.minimum, of: .path("age")),
                .init(.average, of: .path("age")), .init(.count, of: .path("score")),
            ])
        let found = try groups(try store(), definition)
        #expect(found.count == 20)
        #expect(found.map(\.keys) == found.map(\.keys).sorted { "\($0)" < "\($1)" })
        let third = try #require(found.first { $0.keys == [.text("city 3")] })
        // 3, 23, 43, 63 and 83, of which two are divisible by three.
        #expect(
            third.values
                == [.integer(5), .integer(215), .integer(3), .number(43), .integer(3)])
    }

    @Test func `nulls form a group before all others`() throws {
        let definition = GroupDefinition(by: [.path("nick")], values: [.init(.count)])
        let found = try groups(try store(), definition)
        #expect(found.first == .init(keys: [.null], values: [.integer(25)]))
        #expect(found.dropFirst().allSatisfy { $0.keys != [.null] })
    }

    @Test func `objects are grouped by several values, and by values of linked objects`() throws {
        let definition = GroupDefinition(
            by: [.path("employer", "name"), .path("city")], values: [.init(.count)])
        let found = try groups(try store(), definition)
        #expect(found.count == 20 && found.allSatisfy { $0.values == [.integer(5)] })
        #expect(found.first?.keys == [.text("company 0"), .text("city 0")])
    }

    @Test func `having, order, offset and limit apply to groups`() throws {
        var definition = GroupDefinition(
            by: [.path("city")], values: [.init(.maximum, of: .path("age"))])
        definition.having = .and([
            .compare(.value(0), .greaterOrEqual, .integer(85)),
            .not(.compare(.key(0), .equal, .text("city 19"))),
        ])
        var order = GroupOrder(.value(0))
        order.isDescending = true
        definition.orders = [order]
        definition.offset = 1
        definition.limit = 2
        let found = try groups(try store(), definition, .less("age", .integer(99)))
        #expect(found.map(\.keys) == [[.text("city 17")], [.text("city 16")]])
        #expect(found.map(\.values) == [[.integer(97)], [.integer(96)]])
    }

    @Test func `invalid groups are refused`() throws {
        let store = try store()
        var unknown = GroupDefinition(by: [.path("city")], values: [])
        unknown.orders = [GroupOrder(.value(0))]
        for definition in [
            GroupDefinition(by: [], values: [.init(.count)]),
            GroupDefinition(by: [.path("city")], values: [.init(.sum)]),
            GroupDefinition(by: [.path("city")], values: [.init(.sum, of: .path("name"))]),
            GroupDefinition(by: [.path("nothing")], values: []), unknown,
        ] {
            store.engine.check("\(definition)", .invalidArgument) { _ in
                _ = try QueryGroups(store.runner(QueryDefinition()), definition)
            }
        }
    }
}
