import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
@testable import DaybookQuery
import DaybookTesting
import DaybookTestSupport
import Testing

/// Conditions on columns give the same results as on rows. A failure prints its seed;
/// `DAYBOOK_SEED=7` reproduces it.
@Suite struct ColumnTests {
    /// Types whose comparisons need no access to the rows.
    private static let types: Set<FieldType> = [
        .bool, .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .float, .double,
        .date, .dateNano,
    ]

    private func fixture(_ random: inout RandomConditions, count: Int) throws -> QueryFixture {
        let fixture = try QueryFixture()
        let fields = fixture.layouts["Thing"]?.fields ?? []
        let place = fixture.layouts["Place"]?.fields ?? []
        try fixture.engine.write { _ in
            for _ in 0..<count { try fixture.put("Thing", random.values(fields, of: place)) }
        }
        return fixture
    }

    /// Returns the ids and the count that a scan finds. The second of two scans uses columns.
    private func scanned(
        _ condition: QueryCondition, _ fixture: QueryFixture
    ) throws -> (ids: [UInt64], count: Int, hasColumns: Bool) {
        let runner = try QueryRunner(
            QueryDefinition(condition), of: fixture.number("Thing"), in: fixture.model, hint: .scan)
        return try fixture.engine.query { access in
            let demands = ColumnDemands(runner.condition, of: runner.entity, access)
            let first = try runner.ids(access)
            #expect(try runner.ids(access) == first, "\(condition)")
            let count = try runner.count(access)
            return (first, count, demands != nil)
        }
    }

    @Test(arguments: QueryFixture.valueTypes, [false, true])
    func `every operator gives the same result on columns and on rows`(
        type: FieldType, isOptional: Bool
    ) throws {
        var random = RandomConditions(seed: UInt64(type.rawValue) + 100)
        let fixture = try fixture(&random, count: 60)
        let plain = PlainEvaluation(fixture)
        let value = QueryExpression.property(
            PropertyPath([QueryFixture.name(type, isOptional: isOptional)]))
        var columnCount = 0
        for _ in 0..<100 {
            let test = random.test(value, type)
            for condition in [test, .not(test)] {
                let wanted = plain.ids(condition)
                let found = try scanned(condition, fixture)
                #expect(found.ids == wanted && found.count == wanted.count, "\(condition)")
                if found.hasColumns { columnCount += 1 }
            }
        }
        if Self.types.contains(type) { #expect(columnCount > 20, "\(type)") }
        #expect(
            try fixture.engine.view().notes?.usedBytes ?? 0 > 0 || !Self.types.contains(type))
        try fixture.engine.close()
    }

    @Test(arguments: Seeds.first(10 * Seeds.rounds))
    func `combined conditions give the same result on columns and on rows`(seed: UInt64) throws {
        var random = RandomConditions(seed: seed)
        let fixture = try fixture(&random, count: 40)
        let plain = PlainEvaluation(fixture)
        func part(_ depth: Int) -> QueryCondition {
            let type = random.pick(Self.types.sorted { $0.rawValue < $1.rawValue } + [.string])
            let name = QueryFixture.name(type, isOptional: random.chance(2))
            let simple = random.test(.property(PropertyPath([name])), type)
            guard depth > 0 else { return simple }
            switch random.pick([0, 1, 2, 3]) {
            case 0: return .and((0..<random.pick([1, 2, 3])).map { _ in part(depth - 1) })
            case 1: return .or((0..<random.pick([1, 2, 3])).map { _ in part(depth - 1) })
            case 2: return .not(part(depth - 1))
            default: return simple
            }
        }
        var columnCount = 0
        for number in 0..<80 {
            let condition = part(4)
            let wanted = plain.ids(condition)
            let found = try scanned(condition, fixture)
            #expect(
                found.ids == wanted && found.count == wanted.count,
                "seed \(seed), condition \(number): \(condition)")
            if found.hasColumns { columnCount += 1 }
        }
        #expect(columnCount > 10, "seed \(seed)")
        try fixture.engine.close()
    }

    @Test func `a prefix comparison uses only the bytes of the string`() throws {
        let fixture = try QueryFixture()
        let texts = ["", "a", "ab", "a\0", "a\0b", "abcdefg", "abcdefgh", "abcdefghi", "ä", "b"]
        try fixture.engine.write { _ in
            for text in texts { try fixture.put("Thing", ["string": .value(.text(text))]) }
            try fixture.put("Thing", [:])
        }
        let plain = PlainEvaluation(fixture)
        for prefix in texts {
            for name in ["string", "stringOptional"] {
                let test = QueryCondition.prefix(name, prefix)
                for condition in [test, .not(test)] {
                    let found = try scanned(condition, fixture)
                    let isShort = prefix.utf8.count <= 8 && !prefix.utf8.contains(0)
                    #expect(found.ids == plain.ids(condition), "\(condition)")
                    if !prefix.isEmpty { #expect(found.hasColumns == isShort, "\(condition)") }
                }
            }
        }
        try fixture.engine.close()
    }

    /// With changes, retained versions and compactions, a scan with columns equals a scan row by
    /// row.
    @Test(arguments: Seeds.first(6 * Seeds.rounds))
    func `a column scan of any version equals a row scan`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let declarations = RandomWorld.declarations(&generator, indexShare: 0)
        let world = try RandomWorld(MemoryFileSystem(), declarations)
        try world.engine.write { try world.change(900, &generator, in: $0) }
        var queries = RandomQueries(world, seed: seed)
        var held: [ReadView] = []
        for round in 0..<12 {
            try world.engine.write { try world.change(25, &generator, in: $0) }
            held.append(try world.engine.view())
            if round % 5 == 4 { _ = try world.engine.compact(.latest, sealsActive: true) }
            for _ in 0..<8 {
                let condition = queries.condition(of: world.things, depth: 2)
                guard let view = held.randomElement(using: &generator),
                    let runner = try? QueryRunner(
                        QueryDefinition(condition), of: world.things.entityID, in: world.model,
                        hint: .scan)
                else { continue }
                let access = QueryAccess(view, world.engine.schemas)
                let evaluator = RowEvaluator(runner.condition, access)
                var wanted: [UInt64] = []
                try access.scan(world.things.entityID) { row, layout, id in
                    if try evaluator.isTrue(of: row, layout: layout, id: id) { wanted.append(id) }
                    return true
                }
                let note = "seed \(seed), round \(round): \(condition)"
                for _ in 0..<2 {
                    #expect(try runner.count(access) == wanted.count, "\(note)")
                    #expect(try runner.ids(access) == wanted, "\(note)")
                }
            }
            if held.count > 4 { held.removeFirst() }
        }
        try world.engine.close()
    }
}
