import DaybookBytes
import DaybookRecords
@testable import DaybookQuery
import DaybookTestSupport
import Testing

/// Conditions on damaged rows: the result is a value or an error, never a trap.
@Suite struct DamagedRowTests {
    @Test(arguments: Seeds.first(20))
    func `a condition on a damaged row gives a result or a corruption error`(seed: UInt64) throws {
        var random = RandomConditions(seed: seed)
        let fixture = try QueryFixture()
        guard let thing = fixture.layouts["Thing"], let place = fixture.layouts["Place"] else {
            return
        }
        let entity = fixture.number("Thing")
        var verdicts = 0
        var failures = 0
        for _ in 0..<60 {
            let condition = random.condition(depth: 2)
            let order = QueryOrder(
                .expression(.property(PropertyPath([random.pick(["string", "decimal"])]))))
            let bound = try ConditionResolver(fixture.model).resolve(condition, of: entity)
            let row = try fixture.row(random.values(thing.fields, of: place.fields), thing)
            try fixture.engine.query { access in
                let evaluator = RowEvaluator(bound, access)
                guard case .expression(let expression) = order.key else { return }
                let key = try BoundOrder(
                    .expression(ConditionResolver(fixture.model).resolve(expression, of: entity)),
                    order)
                let keys = OrderKeys([key], access)
                for _ in 0..<30 {
                    let damaged = random.damaged(row)
                    do {
                        _ = try evaluator.isTrue(of: damaged.span, layout: thing.layoutID, id: 1)
                        var bytes: [UInt8] = []
                        try keys.append(damaged.span, layout: thing.layoutID, id: 1, to: &bytes)
                        verdicts += 1
                    } catch let error as DaybookError {
                        failures += 1
                        let codes: [DaybookError.Code] = [
                            .corruption, .formatTooNew, .schemaMismatch, .overflow,
                        ]
                        #expect(codes.contains(error.code), "seed \(seed): \(condition): \(error)")
                    }
                }
            }
        }
        #expect(verdicts > 0 && failures > 0, "seed \(seed): \(verdicts), \(failures)")
        try fixture.engine.close()
    }
}

extension RandomConditions {
    /// Returns the row with a few changed or removed bytes.
    fileprivate mutating func damaged(_ row: [UInt8]) -> [UInt8] {
        var row = row
        for _ in 0..<pick([1, 1, 2, 5]) where !row.isEmpty {
            let place = Int.random(in: 0..<row.count, using: &generator)
            row[place] = chance(2) ? row[place] ^ (1 << pick([0, 3, 7])) : pick([0, 1, 255, 128])
        }
        if chance(6) { row.removeLast(Int.random(in: 0...row.count, using: &generator)) }
        return row
    }
}
