@testable import Daybook
import DaybookBytes
import DaybookEngine
import DaybookQuery
import DaybookTesting
import Foundation
import Testing

/// Random conditions on random objects of random types. Compares the results of the planner with
/// every subset of the indexes, of a plain scan, of a Swift closure over the decoded objects, and
/// of SQLite if the condition can be expressed in SQL.
///
/// Each store has 50 cases. `DAYBOOK_CASES=200000 swift test --filter DifferentialTests` runs more
/// cases; a failure prints its seed, and `DAYBOOK_SEED=7` runs only that store.
@Suite(.serialized) struct DifferentialTests {
    static let casesInStore = 50

    @Test func `plans, scans, closures and SQLite agree`() throws {
        let environment = ProcessInfo.processInfo.environment
        let cases = environment["DAYBOOK_CASES"].flatMap { Int($0) } ?? 2_000
        let only = environment["DAYBOOK_SEED"].flatMap { UInt64($0) }
        let first = only ?? UInt64(cases)
        let storeCount = only == nil ? (cases + Self.casesInStore - 1) / Self.casesInStore : 1
        var tally = Tally()
        for seed in first..<(first + UInt64(storeCount)) {
            var store = try DifferentialStore(seed: seed)
            defer { store.close() }
            for _ in 0..<Self.casesInStore {
                let difference = try store.nextCase(&tally)
                #expect(difference == nil, "seed \(seed)")
                if difference != nil { return }
            }
        }
        // A generator of trivial conditions would pass all comparisons.
        #expect(tally.caseCount == storeCount * Self.casesInStore)
        if only == nil {
            #expect(tally.sqlCount * 3 > tally.caseCount)
            #expect(tally.indexedCount * 4 > tally.caseCount)
            #expect(tally.foundCount > tally.caseCount)
        }
    }
}

/// The numbers of compared cases.
struct Tally {
    var caseCount = 0
    /// The number of cases that SQLite evaluated.
    var sqlCount = 0
    /// The number of cases in which an index is used if all indexes are available.
    var indexedCount = 0
    var foundCount = 0
}

/// A store of random objects, and the same objects in SQLite.
struct DifferentialStore {
    private var random: SeededGenerator
    private let schema: RandomSchema
    private let store: Store
    private let objects: DecodedObjects
    private let database: SQLiteDatabase
    private let hints: [PlanHint]

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        let schema = RandomSchema(using: &random)
        self.schema = schema
        RandomSchema.current.withLock { $0 = schema }
        store = try Store(
            directoryPath: "memory:differential-\(seed)", entities: Thing.self, Owner.self)
        let owners = try Self.putOwners(store, &random)
        try Self.putThings(schema, store, owners, &random)
        objects = try DecodedObjects(store.box(for: Thing.self).all())
        database = try SQLiteDatabase()
        try database.fill(schema, objects.things, owners)
        let layout = try store.types.binding(of: Thing.self).layout.layout
        let indexes = layout.indexes.map(\.indexID)
        hints =
            [.scan]
            + (0..<(1 << indexes.count)).map { bits in
                .indexes(
                    Set(indexes.enumerated().filter { bits >> $0.offset & 1 == 1 }.map(\.element)))
            }
    }

    func close() { try? store.close() }

    private static func putOwners(
        _ store: Store, _ random: inout SeededGenerator
    ) throws -> [Owner] {
        let owners = (0..<6).map { _ in
            let owner = Owner()
            owner.name = ["Ada", "Bob", "Cy", ""].randomElement(using: &random) ?? ""
            owner.rank = [nil, 1, 2, 3].randomElement(using: &random) ?? nil
            return owner
        }
        try store.box(for: Owner.self).put(owners)
        return owners
    }

    private static func putThings(
        _ schema: RandomSchema, _ store: Store, _ owners: [Owner],
        _ random: inout SeededGenerator
    ) throws {
        let box = store.box(for: Thing.self)
        for _ in 0..<Int.random(in: 0...60, using: &random) {
            let thing = Thing()
            thing.cells = schema.properties.map { property in
                let isNull = property.isOptional && Int.random(in: 0..<4, using: &random) == 0
                return isNull ? nil : property.kind.cell(isASCII: schema.isASCII, using: &random)
            }
            thing.tags = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                Int64.random(in: 0...3, using: &random)
            }
            if Bool.random(using: &random) {
                thing.owner = ToOne(owners.randomElement(using: &random))
            }
            for owner in owners where Int.random(in: 0..<4, using: &random) == 0 {
                thing.friends.append(owner)
            }
            try box.put(thing)
        }
        // Adds and removes some objects, so that ids and positions differ.
        for id in try box.all().map(\.id) where Int.random(in: 0..<8, using: &random) == 0 {
            try box.remove(id)
        }
    }

    /// Returns a description of the difference in the next case; nil if all results agree.
    mutating func nextCase(_ tally: inout Tally) throws -> String? {
        let condition = RandomCondition(schema, using: &random)
        let orders = (0..<Int.random(in: 0...2, using: &random)).map { _ in
            RandomOrder(schema, using: &random)
        }
        var definition = QueryDefinition(condition.query(schema))
        definition.orders = orders.map { $0.query(schema) }
        definition.offset = [0, 0, 0, 3].randomElement(using: &random) ?? 0
        definition.limit = [nil, nil, 1, 5].randomElement(using: &random) ?? nil
        let expected = try expected(condition, orders, definition)
        tally.caseCount += 1
        tally.foundCount += expected.count
        for hint in hints + [.cheapest] {
            let found = try run(definition, hint, &tally)
            if found != expected {
                return "\(hint): \(found), the closure: \(expected), of \(condition), \(orders)"
            }
        }
        if let sql = sql(condition, orders, definition) {
            tally.sqlCount += 1
            let found = try database.ids(sql.text, sql.values)
            if found != expected {
                return "SQLite: \(found), the closure: \(expected), of \(sql), \(schema)"
            }
        }
        return nil
    }

    private func expected(
        _ condition: RandomCondition, _ orders: [RandomOrder], _ definition: QueryDefinition
    ) throws -> [UInt64] {
        let found = try objects.things.filter { try condition.holds(of: $0, among: objects) }
        let sorted = found.sorted { one, other in
            for order in orders {
                if let isBefore = order.isBefore(one, other) { return isBefore }
            }
            return one.id < other.id
        }
        return sorted.dropFirst(definition.offset).prefix(definition.limit ?? .max).map(\.id)
    }

    private func run(
        _ definition: QueryDefinition, _ hint: PlanHint, _ tally: inout Tally
    ) throws -> [UInt64] {
        let types = store.types
        let entity = try types.binding(of: Thing.self).entity
        let runner = try QueryRunner(
            definition, of: entity, in: try types.names.model(), hint: hint)
        return try store.engine.query { access in
            let ids = try runner.ids(access)
            let count = try runner.count(access)
            guard count == ids.count else {
                throw DaybookError(.corruption, "\(count) were counted of \(ids)")
            }
            if hint == hints.last,
                try runner.explain(access, isRun: false).description.contains("index")
            {
                tally.indexedCount += 1
            }
            return ids
        }
    }

    private func sql(
        _ condition: RandomCondition, _ orders: [RandomOrder], _ definition: QueryDefinition
    ) -> SQLCondition? {
        let hasNaN = objects.things.contains { $0.cells.contains { $0?.isNaN == true } }
        guard !hasNaN, let condition = condition.sql(schema) else { return nil }
        var keys: [String] = []
        for order in orders {
            guard let key = order.sql(schema) else { return nil }
            keys.append(key)
        }
        let limit = definition.limit ?? -1
        return "SELECT t.id FROM thing t WHERE " + condition
            + " ORDER BY \((keys + ["t.id"]).joined(separator: ", "))"
            + " LIMIT \(limit) OFFSET \(definition.offset)"
    }
}
