package import DaybookRecords

/// Converts constants to values that a property's type can represent, without changing the result
/// of comparisons with them.
struct ValueFit: Sendable {
    /// Nil for computed values without a type.
    let type: FieldType?

    init(_ type: FieldType?) { self.type = type }

    /// The value of the type that equals a constant; nil if there is none.
    func equal(_ value: QueryValue) -> QueryValue? {
        guard let type else { return value }
        if let whole = Whole(value, of: type) {
            guard case .exactly(let number) = whole, let limits = type.integerLimits,
                limits.contains(number)
            else { return nil }
            return type.value(ofWhole: number)
        }
        switch type {
        case .float, .double:
            guard let (number, isExact) = floor(value), isExact else { return nil }
            return .number(number == 0 ? 0 : number)
        case .decimal: return value.exactNumber.map { .decimal($0.text) }
        default: return value
        }
    }

    /// A date rounded to the unit of the type; other values are unchanged.
    func rounded(_ value: QueryValue) -> QueryValue {
        guard type == .date, let whole = Whole(value, of: .date), case .exactly(let number) = whole
        else { return value }
        return .moment(number * 1_000_000)
    }

    func rounded(_ bound: QueryBound?) -> QueryBound? {
        bound.map { QueryBound(rounded($0.value), isInclusive: $0.isInclusive) }
    }

    /// The values of the type between two bounds, which are not null.
    func range(_ lower: QueryBound?, _ upper: QueryBound?) -> FittedRange {
        guard let type else { return FittedRange(lower, upper) }
        var range = FittedRange()
        for (bound, isLower) in [(lower, true), (upper, false)] {
            guard let bound else { continue }
            if let limits = type.integerLimits {
                guard let whole = Whole(bound.value, of: type) else { return .never }
                range.add(whole, limits, bound.isInclusive, isLower: isLower, type)
            } else if type == .float || type == .double {
                guard let (number, isExact) = floor(bound.value) else { return .never }
                // No value of the type lies between the number and the constant.
                let isInclusive = isExact ? bound.isInclusive : !isLower
                let value = QueryValue.number(number == 0 ? 0 : number)
                range.add(QueryBound(value, isInclusive: isInclusive), isLower: isLower)
            } else if type == .decimal {
                range.addDecimal(bound, isLower: isLower)
            } else {
                range.add(bound, isLower: isLower)
            }
        }
        return range.isEmpty ? .never : range
    }

    /// The largest number of the type that is not greater than a constant, and whether both are
    /// equal; nil if the constant is not a number.
    private func floor(_ value: QueryValue) -> (Double, isExact: Bool)? {
        let isFloat = type == .float
        var nearest: Double
        switch value {
        case .integer(let integer): nearest = isFloat ? Double(Float(integer)) : Double(integer)
        case .number(let number): nearest = isFloat ? Double(Float(number)) : number
        case .decimal:
            guard let text = value.exactNumber?.text, let number = Double(text) else { return nil }
            nearest = isFloat ? Double(Float(number)) : number
        default: return nil
        }
        // Double rounding may be one step off.
        for _ in 0..<3 {
            switch QueryValue.number(nearest).order(to: value) {
            case .equal: return (nearest, true)
            case .before: return (nearest, false)
            case .behind: nearest = isFloat ? Double(Float(nearest).nextDown) : nearest.nextDown
            case .apart: return nil
            }
        }
        return nil
    }
}

extension FieldType {
    /// The stored integers, in the unit of the type; nil for other types.
    package var integerLimits: ClosedRange<Int128>? {
        switch self {
        case .int8: Int128(Int8.min)...Int128(Int8.max)
        case .int16: Int128(Int16.min)...Int128(Int16.max)
        case .int32: Int128(Int32.min)...Int128(Int32.max)
        case .int64, .date, .dateNano: Int128(Int64.min)...Int128(Int64.max)
        case .uint8: 0...Int128(UInt8.max)
        case .uint16: 0...Int128(UInt16.max)
        case .uint32: 0...Int128(UInt32.max)
        case .uint64: 0...Int128(UInt64.max)
        default: nil
        }
    }

    /// The value of a stored integer.
    func value(ofWhole number: Int128) -> QueryValue {
        switch self {
        case .date: .moment(number * 1_000_000)
        case .dateNano: .moment(number)
        default: .integer(number)
        }
    }
}

/// The place of a constant among the integers of a type.
enum Whole: Sendable {
    case exactly(Int128)
    /// Between this integer and the next.
    case above(Int128)
    case belowAll, aboveAll
    /// Not a number.
    case nowhere

    /// Returns nil for types that are not stored as integers.
    init?(_ value: QueryValue, of type: FieldType) {
        guard type.integerLimits != nil else { return nil }
        switch value {
        case .integer(let number): self = .exactly(number)
        case .number(let number):
            guard !number.isNaN else { self = .nowhere; return }
            guard number.magnitude < 0x1p126 else {
                self = number < 0 ? .belowAll : .aboveAll
                return
            }
            let floor = number.rounded(.down)
            self = floor == number ? .exactly(Int128(floor)) : .above(Int128(floor))
        case .decimal:
            guard let number = value.exactNumber else { self = .nowhere; return }
            guard let floor = number.floor else {
                self = number.isNegative ? .belowAll : .aboveAll
                return
            }
            self = number.isWhole ? .exactly(floor) : .above(floor)
        case .moment(let nanoseconds):
            self = .exactly(type == .date ? Self.milliseconds(nanoseconds) : nanoseconds)
        default: self = .nowhere
        }
    }

    /// Rounds to the nearest millisecond, halves away from zero, as dates are rounded when stored.
    private static func milliseconds(_ nanoseconds: Int128) -> Int128 {
        let (quotient, remainder) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
        guard remainder.magnitude >= 500_000 else { return quotient }
        return quotient + (nanoseconds < 0 ? -1 : 1)
    }
}
