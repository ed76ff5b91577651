package import DaybookBytes
package import DaybookRecords

/// What values come to that are given one after the other. Nulls do not count.
package struct ValueSum: Sendable {
    /// How sums are kept.
    package enum Kind: Sendable {
        case integer, number, decimal

        /// Of the values of a type; integers where it is not known.
        package init(_ type: FieldType?) {
            self =
                switch type {
                case .float, .double: .number
                case .decimal: .decimal
                default: .integer
                }
        }
    }

    private let aggregate: QueryAggregate
    private let kind: Kind
    /// How many values were not null.
    package private(set) var count = 0
    private var integers: Int128 = 0
    private var numbers = 0.0
    private var decimals = ExactNumber(Int128(0))
    private var best: QueryValue = .null

    package init(_ aggregate: QueryAggregate, _ kind: Kind) {
        self.aggregate = aggregate
        self.kind = kind
    }

    /// Throws `.overflow` for a sum beyond 128 bits, or decimals too far apart to be added.
    package mutating func add(_ value: QueryValue) throws(DaybookError) {
        guard !value.isNull else { return }
        count += 1
        switch aggregate {
        case .count: break
        case .minimum: take(value, if: .before)
        case .maximum: take(value, if: .behind)
        case .sum, .average: try sum(value)
        }
    }

    /// A number that is none is only taken where there is nothing else.
    private mutating func take(_ value: QueryValue, if wanted: ValueOrder) {
        if best.isNull || best.isNotANumber && !value.isNotANumber {
            best = value
        } else if value.order(to: best) == wanted {
            best = value
        }
    }

    private mutating func sum(_ value: QueryValue) throws(DaybookError) {
        switch value {
        case .integer(let integer):
            let (sum, overflow) = integers.addingReportingOverflow(integer)
            guard !overflow else { throw Self.overflow }
            integers = sum
        case .number(let number): numbers += number
        case .decimal:
            guard let decimal = value.exactNumber else {
                // As a number that is none makes a sum that is none.
                numbers = .nan
                return
            }
            guard let sum = decimals.adding(decimal) else { throw Self.overflow }
            decimals = sum
        default: break
        }
    }

    /// Null for the minimum, maximum and average of nothing.
    package func result() throws(DaybookError) -> QueryValue {
        switch aggregate {
        case .count: return .integer(Int128(count))
        case .minimum, .maximum: return best
        case .average: return count == 0 ? .null : .number(average)
        case .sum:
            switch kind {
            case .integer: return .integer(integers)
            case .number: return .number(numbers)
            case .decimal: return .decimal(numbers.isNaN ? "NaN" : decimals.text)
            }
        }
    }

    private var average: Double {
        switch kind {
        case .integer: Double(integers) / Double(count)
        case .number: numbers / Double(count)
        case .decimal:
            numbers.isNaN ? .nan : (Double(decimals.text) ?? .nan) / Double(count)
        }
    }

    private static var overflow: DaybookError {
        DaybookError(
            .overflow,
            "A sum is larger than 128 bits can hold, or adds decimals that are too far apart. Add"
                + " fewer values, or narrow the condition.")
    }
}

extension QueryValue {
    /// Whether it is of a type of numbers, but none.
    var isNotANumber: Bool {
        switch self {
        case .number(let number): number.isNaN
        case .decimal: exactNumber == nil
        default: false
        }
    }
}

extension BoundExpression {
    /// The type of the values; nil for constants, and for ids and counts, which are integers.
    package var type: FieldType? {
        switch self {
        case .value, .id: nil
        case .column(let column): column.type
        case .entry(let column, _): column.property.shape.element?.type
        case .linked(_, let inner): inner.type
        case .aggregate(let aggregate, let column):
            Self.type(of: aggregate, over: column.property.shape.element?.type)
        case .relationAggregate(let aggregate, _, let inner):
            Self.type(of: aggregate, over: inner?.type)
        }
    }

    private static func type(
        of aggregate: QueryAggregate, over type: FieldType?
    ) -> FieldType? {
        switch aggregate {
        case .count: nil
        case .minimum, .maximum: type
        case .average: .double
        // A sum of integers has 128 bits, more than any type.
        case .sum: type?.integerLimits == nil ? type : nil
        }
    }
}
