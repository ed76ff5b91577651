import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
@testable import DaybookQuery
import Synchronization
import Testing

/// A long query checks regularly whether it is cancelled, in each of its phases.
@Suite struct QueryCancellationTests {
    private static let store: PeopleStore? = {
        let store = try? PeopleStore()
        try? store?.fill(10_000)
        return store
    }()

    /// Counts the checks for cancellation.
    private final class CheckCounter: Sendable {
        let count = Mutex(0)
    }

    private func askedCount(
        _ definition: QueryDefinition, of layout: KeyPath<PeopleStore, EntityLayout> = \.people,
        isForced: Bool = false, _ body: (QueryRunner, QueryAccess) throws -> Void
    ) throws -> Int {
        let store = try #require(Self.store)
        let all = Set((store.people.indexes + store.companies.indexes).map(\.indexID))
        let runner = try store.runner(
            definition, of: store[keyPath: layout], hint: isForced ? .indexes(all) : .cheapest)
        let counter = CheckCounter()
        return try store.engine.query { access in
            access.isCancelled = {
                counter.count.withLock { $0 += 1 }
                return false
            }
            try body(runner, access)
            return counter.count.withLock { $0 }
        }
    }

    /// A condition that no object matches and no index covers.
    private let nobody = QueryCondition.equal("price", .decimal("99"))

    @Test func `a cancelled query stops scanning rows`() throws {
        var definition = QueryDefinition(nobody)
        definition.limit = 5
        #expect(try askedCount(definition) { _ = try $0.ids($1) } >= 2)
        definition.limit = nil
        definition.distinct = [PropertyPath(["city"])]
        #expect(try askedCount(definition) { _ = try $0.ids($1) } >= 2)
    }

    @Test func `a cancelled query stops traversing links`() throws {
        let older = QueryCondition.linked(
            PropertyPath(["staff"]), .any, .less("age", .integer(90)))
        let count = try askedCount(QueryDefinition(older), of: \.companies, isForced: true) {
            let ids = try $0.ids($1)
            #expect(ids.count == 10)
        }
        #expect(count >= 8)
    }

    @Test func `a cancelled query stops an ordered scan of an index`() throws {
        var definition = QueryDefinition(nobody)
        definition.orders = [QueryOrder(.expression(.path("age")))]
        definition.limit = 1
        let count = try askedCount(definition, isForced: true) { runner, access in
            let run = try QueryRun(runner, access, reads: .ids)
            #expect(run.plan.walk != nil)
            let ids = try run.ids()
            #expect(ids.isEmpty)
        }
        #expect(count >= 8)
    }

    @Test func `a cancelled query stops delivering rows`() throws {
        var definition = QueryDefinition()
        definition.orders = [QueryOrder(.expression(.path("age")))]
        let count = try askedCount(definition) { runner, access in
            var given = 0
            try runner.forEachRow(access) { _ in
                given += 1
                return true
            }
            #expect(given == 10_000)
        }
        #expect(count >= 20)
    }

    @Test func `a cancelled query ends with an error`() throws {
        let store = try #require(Self.store)
        let runner = try store.runner(QueryDefinition(nobody))
        store.engine.check("interrupted", .interrupted) { access in
            access.isCancelled = { true }
            _ = try runner.ids(access)
        }
    }
}
