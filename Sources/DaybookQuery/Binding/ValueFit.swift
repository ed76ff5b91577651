import DaybookRecords

/// Brings constants to what properties of a type can have, without changing what a comparison with
/// them says.
struct ValueFit: Sendable {
    /// Nil for what is worked out and has no type.
    let type: FieldType?

    init(_ type: FieldType?) { self.type = type }

    /// The value of the type that is equal to a constant; nil where none is.
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

    /// A moment as a property of the type keeps it; all else as it is.
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
                // Nothing lies between the number and the constant.
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

    /// The largest number of the type that is not above a constant, and whether it is equal; nil
    /// where the constant is no number.
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
        // Rounding twice may lead a step further than rounding once.
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
    /// The integers that are kept, counted in the unit of the type; nil for other types.
    var integerLimits: ClosedRange<Int128>? {
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

    /// The value that such an integer stands for.
    func value(ofWhole number: Int128) -> QueryValue {
        switch self {
        case .date: .moment(number * 1_000_000)
        case .dateNano: .moment(number)
        default: .integer(number)
        }
    }
}

/// Where a constant stands among the integers that properties of a type have.
enum Whole: Sendable {
    case exactly(Int128)
    /// Between this and the next.
    case above(Int128)
    case belowAll, aboveAll
    /// It is no number.
    case nowhere

    /// Nil for types without such integers.
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

    /// Rounded to the nearest, halves away from zero: as dates are when they are stored.
    private static func milliseconds(_ nanoseconds: Int128) -> Int128 {
        let (quotient, remainder) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
        guard remainder.magnitude >= 500_000 else { return quotient }
        return quotient + (nanoseconds < 0 ? -1 : 1)
    }
}
