import DaybookBytes
import DaybookRecords

extension QueryFunction {
    /// Returns a reader of the function's value.
    ///
    /// - Parameter type: the type of the result; nil for integers.
    func reader(of arguments: [OperandReader], _ type: FieldType?) -> OperandReader {
        switch (self, arguments.count) {
        case (.length, 1):
            return Self.reader(arguments[0]) { value in
                guard case .text(let text) = value else { return .null }
                return .integer(Int128(text.unicodeScalars.count))
            }
        case (.part(let part, let zone), 1):
            return Self.reader(arguments[0]) { value in
                guard case .moment(let nanoseconds) = value else { return .null }
                return .integer(Int128(part.value(nanoseconds, in: zone)))
            }
        case (.add, 2), (.subtract, 2), (.multiply, 2):
            let (one, other) = (arguments[0], arguments[1])
            return { (row, id) throws(DaybookError) in
                try self.calculated(try one(row, id), try other(row, id), type)
            }
        default: preconditionFailure("the resolver knows the number of arguments")
        }
    }

    private static func reader(
        _ argument: @escaping OperandReader, _ value: @escaping (QueryValue) -> QueryValue
    ) -> OperandReader {
        { (row, id) throws(DaybookError) in value(try argument(row, id)) }
    }

    /// The result of a calculation; null if an operand is null. Throws `.overflow` if the result
    /// exceeds 128 bits, or has too many digits.
    private func calculated(
        _ one: QueryValue, _ other: QueryValue, _ type: FieldType?
    ) throws(DaybookError) -> QueryValue {
        switch (one, other) {
        case (.null, _), (_, .null): return .null
        case (.text(let one), .text(let other)): return .text(one + other)
        case (.integer(let one), .integer(let other)):
            return .integer(try calculated(one, other))
        case (.decimal, _), (_, .decimal):
            guard let one = one.exactNumber, let other = other.exactNumber else {
                return .decimal("NaN")
            }
            return .decimal(try calculated(one, other).text)
        default:
            guard let one = one.asDouble, let other = other.asDouble else { return .null }
            let result = calculated(one, other)
            return .number(type == .float ? Double(Float(result)) : result)
        }
    }

    private func calculated(_ one: Int128, _ other: Int128) throws(DaybookError) -> Int128 {
        let (result, isOver) =
            switch self {
            case .subtract: one.subtractingReportingOverflow(other)
            case .multiply: one.multipliedReportingOverflow(by: other)
            default: one.addingReportingOverflow(other)
            }
        guard !isOver else { throw Self.overflow }
        return result
    }

    private func calculated(_ one: Double, _ other: Double) -> Double {
        switch self {
        case .subtract: one - other
        case .multiply: one * other
        default: one + other
        }
    }

    private func calculated(
        _ one: ExactNumber, _ other: ExactNumber
    ) throws(DaybookError) -> ExactNumber {
        let result =
            switch self {
            case .subtract: one.adding(other.negated)
            case .multiply: one.multiplied(by: other)
            default: one.adding(other)
            }
        guard let result else { throw Self.overflow }
        return result
    }

    private static var overflow: DaybookError {
        DaybookError(
            .overflow,
            "The result of a calculation exceeds 128 bits, or has too many digits. Use smaller"
                + " numbers, or narrow the condition.")
    }
}

extension QueryValue {
    fileprivate var asDouble: Double? {
        switch self {
        case .number(let number): number
        case .integer(let integer): Double(integer)
        default: nil
        }
    }
}
