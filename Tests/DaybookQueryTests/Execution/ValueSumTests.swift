import DaybookBytes
@testable import DaybookQuery
import Testing

/// Aggregates of value sequences.
@Suite struct ValueSumTests {
    private func result(
        _ aggregate: QueryAggregate, _ kind: ValueSum.Kind, _ values: [QueryValue]
    ) throws(DaybookError) -> QueryValue {
        var sum = ValueSum(aggregate, kind)
        for value in values { try sum.add(value) }
        return try sum.result()
    }

    @Test(
        arguments: [
            ([.integer(.max), .integer(1)], .integer), ([.integer(.min), .integer(-1)], .integer),
            // The sum has as many digits as the difference of the exponents.
            ([.decimal("1e10000"), .decimal("1")], .decimal),
            ([.decimal("-1e999999999"), .decimal("1e-999999999")], .decimal),
        ] as [([QueryValue], ValueSum.Kind)], [QueryAggregate.sum, .average])
    func `a sum that is too large is reported`(
        _ added: ([QueryValue], ValueSum.Kind), aggregate: QueryAggregate
    ) {
        #expect {
            _ = try result(aggregate, added.1, added.0)
        } throws: { DaybookError.Code.overflow ~= $0 }
    }

    @Test func `sums are exact up to the limits`() throws {
        let most = try result(.sum, .integer, [.integer(.max), .integer(-1), .integer(1), .null])
        #expect(most == .integer(.max))
        let far = try result(.sum, .decimal, [.decimal("1e9998"), .decimal("1"), .decimal("-1")])
        #expect(far.isEqual(to: .decimal("1e9998")))
        let cents = try result(.sum, .decimal, [.decimal("0.1"), .decimal("0.2"), .decimal("9.7")])
        #expect(cents == .decimal("10"))
        let mixed = try result(.sum, .decimal, [.decimal("-5.5"), .decimal("0.25")])
        #expect(mixed == .decimal("-5.25"))
        let average = try result(.average, .decimal, [.decimal("0.5"), .decimal("2"), .null])
        #expect(average == .number(1.25))
    }

    @Test func `a decimal that is not a number makes the sum NaN and is no extreme`() throws {
        let values: [QueryValue] = [.decimal("NaN"), .decimal("3"), .decimal("x"), .decimal("2.0")]
        let sum = try result(.sum, .decimal, values)
        #expect(sum.isNotANumber)
        let average = try result(.average, .decimal, values)
        #expect(average.isNotANumber)
        let least = try result(.minimum, .decimal, values)
        #expect(least == .decimal("2.0"))
        let most = try result(.maximum, .decimal, values)
        #expect(most == .decimal("3"))
        let none = try result(.maximum, .decimal, [.decimal("NaN")])
        #expect(none == .decimal("NaN"))
    }
}
