import DaybookBytes
import DaybookRecords
@testable import DaybookQuery
import DaybookTestSupport
import Testing

/// Compares the evaluation of conditions on rows with an evaluation on objects in memory. A failure
/// prints its seed; `DAYBOOK_SEED=7` reproduces it.
@Suite struct ConditionMeaningTests {
    private func fixture(_ random: inout RandomConditions, count: Int) throws -> QueryFixture {
        let fixture = try QueryFixture()
        let fields = fixture.layouts["Thing"]?.fields ?? []
        let place = fixture.layouts["Place"]?.fields ?? []
        try fixture.engine.write { _ in
            for _ in 0..<count { try fixture.put("Thing", random.values(fields, of: place)) }
            let ids = (fixture.objects["Thing"] ?? [:]).keys.sorted()
            for id in ids {
                if random.chance(2) {
                    try fixture.setLinks("Thing", id, "owner", [random.pick(ids)])
                }
                let friends = ids.filter { _ in random.chance(6) }
                try fixture.setLinks("Thing", id, "friends", friends)
                let list = (0..<random.pick([0, 0, 1, 3])).map { _ in random.pick(ids) }
                try fixture.setLinks("Thing", id, "playlist", list)
            }
        }
        return fixture
    }

    @Test(arguments: Seeds.first(30 * Seeds.rounds))
    func `conditions give the same result on rows and on objects`(seed: UInt64) throws {
        var random = RandomConditions(seed: seed)
        let fixture = try fixture(&random, count: 20)
        let plain = PlainEvaluation(fixture)
        var truths = 0
        for number in 0..<100 {
            let condition = random.condition(depth: 3)
            let found: [UInt64]
            do {
                found = try fixture.ids(condition)
            } catch {
                Issue.record("seed \(seed), condition \(number): \(condition): \(error)")
                continue
            }
            truths += found.count
            #expect(
                found == plain.ids(condition),
                "seed \(seed), condition \(number): \(condition)")
        }
        #expect(truths > 100, "seed \(seed): conditions are true now and then")
        try fixture.engine.close()
    }

    @Test(arguments: QueryFixture.valueTypes, [false, true])
    func `every operator of every type gives the same result on rows and on objects`(
        type: FieldType, isOptional: Bool
    ) throws {
        var random = RandomConditions(seed: UInt64(type.rawValue))
        let fixture = try fixture(&random, count: 12)
        let plain = PlainEvaluation(fixture)
        let value = QueryExpression.property(
            PropertyPath([QueryFixture.name(type, isOptional: isOptional)]))
        for _ in 0..<150 {
            let condition = random.test(value, type)
            #expect(try fixture.ids(condition) == plain.ids(condition), "\(condition)")
        }
        try fixture.engine.close()
    }
}
