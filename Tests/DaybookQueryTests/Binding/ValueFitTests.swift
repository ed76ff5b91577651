import DaybookRecords
@testable import DaybookQuery
import Testing

@Suite struct ValueFitTests {
    private func column(_ type: FieldType, isOptional: Bool = false) -> QueryColumn {
        QueryColumn([
            QueryProperty(
                name: "x", propertyID: 1, entity: 1,
                shape: ValueShape(type, isOptional: isOptional))
        ])
    }

    private func below(_ value: QueryValue, _ type: FieldType) -> BoundCondition {
        ValueFit(type).range(nil, QueryBound(value, isInclusive: false))
            .condition(on: column(type), [])
    }

    private func upTo(_ value: QueryValue, isInclusive: Bool, _ type: FieldType) -> BoundCondition {
        .column(
            column(type), .range(lower: nil, upper: QueryBound(value, isInclusive: isInclusive)))
    }

    @Test func `a number beyond the range of an integer type makes the comparison constant`() {
        #expect(ValueFit(.int8).equal(.integer(300)) == nil)
        #expect(ValueFit(.uint64).equal(.integer(-1)) == nil)
        #expect(ValueFit(.int32).equal(.number(1.5)) == nil)
        #expect(ValueFit(.int32).equal(.number(2)) == .integer(2))
        #expect(ValueFit(.int32).equal(.decimal("2.00")) == .integer(2))
        #expect(below(.integer(300), .int8) == .always(true))
        #expect(below(.integer(-128), .int8) == .always(false))
        #expect(below(.number(.infinity), .uint64) == .always(true))
        #expect(below(.number(.nan), .int8) == .always(false))
        #expect(below(.number(-.infinity), .int8) == .always(false))
        #expect(below(.decimal("1e40"), .int64) == .always(true))
    }

    @Test func `a bound between two integers becomes an adjacent integer`() {
        #expect(below(.number(1.5), .int16) == upTo(.integer(1), isInclusive: true, .int16))
        #expect(below(.number(-1.5), .int16) == upTo(.integer(-2), isInclusive: true, .int16))
        #expect(below(.decimal("-0.1"), .int16) == upTo(.integer(-1), isInclusive: true, .int16))
        let above = ValueFit(.int16).range(QueryBound(.number(-1.5), isInclusive: false), nil)
        #expect(above.lower == QueryBound(.integer(-1), isInclusive: true))
    }

    @Test func `a constant that no double represents becomes the next lower double`() {
        let big = (Int128(1) << 53) + 1
        #expect(ValueFit(.double).equal(.integer(big)) == nil)
        #expect(
            below(.integer(big), .double)
                == upTo(.number(9_007_199_254_740_992), isInclusive: true, .double))
        #expect(ValueFit(.double).equal(.decimal("0.1")) == nil)
        #expect(ValueFit(.double).equal(.decimal("0.50")) == .number(0.5))
        #expect(ValueFit(.float).equal(.number(0.1)) == nil)
        #expect(ValueFit(.float).equal(.number(Double(Float(0.1)))) == .number(Double(Float(0.1))))
        let above = ValueFit(.float).range(QueryBound(.number(1e300), isInclusive: true), nil)
        #expect(
            above.lower
                == QueryBound(.number(Double(Float.greatestFiniteMagnitude)), isInclusive: false))
        let below = ValueFit(.float).range(nil, QueryBound(.number(-1e300), isInclusive: false))
        #expect(below.upper == QueryBound(.number(-.infinity), isInclusive: true))
    }

    @Test func `a date constant is rounded like a stored date`() {
        #expect(ValueFit(.date).equal(.moment(1_499_999)) == .moment(1_000_000))
        #expect(ValueFit(.date).equal(.moment(1_500_000)) == .moment(2_000_000))
        #expect(ValueFit(.date).equal(.moment(-1_500_000)) == .moment(-2_000_000))
        #expect(ValueFit(.dateNano).equal(.moment(1_499_999)) == .moment(1_499_999))
        #expect(ValueFit(.dateNano).equal(.moment(1 << 64)) == nil)
        #expect(below(.moment(1 << 64), .dateNano) == .always(true))
    }

    @Test func `decimals with many digits are compared exactly`() {
        func order(_ one: QueryValue, _ other: QueryValue) -> ValueOrder { one.order(to: other) }
        // As a double, one tenth is slightly larger.
        #expect(order(.decimal("0.1"), .number(0.1)) == .before)
        #expect(order(.decimal("0.5"), .number(0.5)) == .equal)
        #expect(order(.number(.leastNonzeroMagnitude), .decimal("1e-400")) == .behind)
        #expect(order(.number(.greatestFiniteMagnitude), .decimal("1e309")) == .before)
        #expect(order(.number(-.infinity), .decimal("-1e400")) == .before)
        #expect(order(.decimal("NaN"), .decimal("NaN")) == .apart)
        #expect(order(.integer(Int128(Int64.max)), .number(0x1p63)) == .before)
        #expect(order(.integer(Int128(1) << 63), .number(0x1p63)) == .equal)
        #expect(order(.integer(.max), .number(0x1p127)) == .before)
        #expect(order(.integer(.min), .number(-0x1p127)) == .equal)
        #expect(order(.decimal("-1.50"), .decimal("-1.5")) == .equal)
        #expect(order(.decimal("-2"), .decimal("-1.5")) == .before)
        #expect(order(.text("\u{E4}"), .text("a\u{308}")) == .behind)
    }

    // Their exponents have more digits than a string may have after its `e`.
    @Test(arguments: [
        "0.01e-999999999", "-0.0012e-999999999", "12.5e-999999999", "1000e999999999",
        "-120e999999998", "1e999999999", "1e-999999999",
    ])
    func `the largest and the smallest decimals keep their value`(text: String) throws {
        let number = try #require(ExactNumber(text))
        #expect(ExactNumber(number.text) == number, "\(number.text)")
        let fitted = try #require(ValueFit(.decimal).equal(.decimal(text)))
        #expect(fitted.isEqual(to: .decimal(text)))
    }

    @Test(arguments: [
        0.0, 1, -1, 0.1, 123_456.789, 1e15, -1e-15, 0x1p62, .greatestFiniteMagnitude,
        .leastNonzeroMagnitude,
    ])
    func `near covers the range of near values`(value: Double) {
        for tolerance in [0, 0.1, 1, 1e-15, 1e9, .infinity] {
            guard let (lower, upper) = Nearness.range(of: value, tolerance: tolerance),
                case .number(let first) = lower.value, case .number(let last) = upper.value
            else {
                Issue.record("there is a range")
                continue
            }
            #expect(abs(first - value) <= tolerance && abs(last - value) <= tolerance)
            if tolerance.isFinite {
                #expect(abs(first.nextDown - value) > tolerance, "\(value) \(tolerance)")
                #expect(abs(last.nextUp - value) > tolerance, "\(value) \(tolerance)")
            }
        }
    }
}
