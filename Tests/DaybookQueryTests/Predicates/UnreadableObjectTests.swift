import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
@testable import DaybookQuery
import Testing

/// Queries and unreadable objects: no index hides them.
@Suite struct UnreadableObjectTests {
    private static let conditions: [QueryCondition] = [
        .equal("age", .integer(30)), .less("age", .integer(5)), .prefix("name", "name 1"),
        .equal("city", .text("city 7")), .equal("email", .text("mail 150")),
        .and([.equal("city", .text("city 7")), .less("age", .integer(50))]),
        .or([.equal("age", .integer(1)), .equal("nick", .null)]),
        .not(.equal("nick", .text("nick 3"))),
    ]

    private func queries() -> [QueryDefinition] {
        Self.conditions.flatMap { condition in
            var ordered = QueryDefinition(condition)
            var order = QueryOrder(.expression(.path("age")))
            order.isDescending = true
            ordered.orders = [order]
            ordered.limit = 20
            return [QueryDefinition(condition), ordered]
        }
    }

    private func answers(
        _ store: PeopleStore, _ access: QueryAccess, _ hint: PlanHint
    ) throws -> [[UInt64]] {
        try queries().map { try store.runner($0, hint: hint).ids(access) }
    }

    @Test func `a query that must read a lost object fails until the object is put again`()
        throws
    {
        let fileSystem = MemoryFileSystem()
        let truth: [[UInt64]]
        do {
            let store = try PeopleStore([], in: fileSystem, frameBytes: 1024)
            try store.fill(300)
            truth = try store.engine.query { try answers(store, $0, .scan) }
            try store.engine.writeSnapshot()
        }
        let damaged = try #require(fileSystem.afterKill(damaging: "mail 150"))
        let store = try PeopleStore(
            PeopleStore.indexes.filter { !$0.isUnique }, in: damaged, frameBytes: 1024)
        while try store.engine.buildIndexSlice(limit: 50) {}
        let hint = PlanHint.indexes(Set(store.people.indexes.map(\.indexID)))
        var lost: Set<UInt64> = []
        try store.engine.query { access in
            for index in try access.indexes(of: store.people.entityID) {
                lost.formUnion(try access.unlisted(store.people.entityID, in: index))
            }
        }
        #expect(lost.contains(151) && lost.count < 100)
        for query in queries() {
            store.engine.check("\(query)", .corruption) { access in
                _ = try store.runner(query, hint: hint).ids(access)
            }
        }
        // Queries that do not need these objects succeed.
        try store.engine.query { access in
            let first = QueryDefinition(
                .compare(.property(.ownId), .less, .value(.integer(10)), []))
            let ids = try store.runner(first, hint: hint).ids(access)
            #expect(ids == Array(1...9))
        }
        try store.engine.write { transaction in
            for id in lost {
                try store.put(
                    store.people, PeopleStore.person(Int(id) - 1), id: id, in: transaction)
            }
            let found = try store.engine.query { try answers(store, $0, hint) }
            #expect(found == truth)
        }
        for hint in [hint, .cheapest] {
            let found = try store.engine.query { try answers(store, $0, hint) }
            #expect(found == truth)
        }
    }
}
