package import DaybookBytes
package import DaybookRecords

/// An aggregate over values that are added one by one. Null values are ignored.
package struct ValueSum: Sendable {
    /// The representation of a sum.
    package enum Kind: Sendable {
        case integer, number, decimal

        /// The kind for the values of a type; integer if the type is unknown.
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
    /// The number of values that were not null.
    package private(set) var count = 0
    private var integers: Int128 = 0
    private var numbers = 0.0
    private var decimals = ExactNumber(Int128(0))
    private var best: QueryValue = .null

    package init(_ aggregate: QueryAggregate, _ kind: Kind) {
        self.aggregate = aggregate
        self.kind = kind
    }

    /// Throws `.overflow` if the sum exceeds 128 bits, or if the exponents of decimals are too far
    /// apart.
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

    /// NaN is taken only if there is no other value.
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
                // As for floating-point numbers, NaN makes the sum NaN.
                numbers = .nan
                return
            }
            guard let sum = decimals.adding(decimal) else { throw Self.overflow }
            decimals = sum
        default: break
        }
    }

    /// The result; null for the minimum, maximum and average of no values.
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
            "A sum exceeds 128 bits, or the exponents of its decimals are too far apart. Add"
                + " fewer values, or narrow the condition.")
    }
}

extension QueryValue {
    /// Whether the value is NaN.
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
        case .function(let function, let arguments):
            function.type(of: arguments.compactMap(\.type))
        }
    }

    private static func type(
        of aggregate: QueryAggregate, over type: FieldType?
    ) -> FieldType? {
        switch aggregate {
        case .count: nil
        case .minimum, .maximum: type
        case .average: .double
        // A sum of integers has 128 bits, which exceeds every type.
        case .sum: type?.integerLimits == nil ? type : nil
        }
    }
}
