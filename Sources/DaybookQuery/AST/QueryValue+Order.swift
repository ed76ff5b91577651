import DaybookBytes

/// The result of comparing two values.
enum ValueOrder: Sendable, Equatable {
    case before, equal, behind
    /// Not comparable: nulls, NaN, values of different kinds.
    case apart

    init<Value: Comparable>(_ one: Value, _ other: Value) {
        self = one < other ? .before : one == other ? .equal : one > other ? .behind : .apart
    }

    /// Compares bytes lexicographically; a prefix comes first.
    init(_ one: Span<UInt8>, _ other: Span<UInt8>) {
        let count = min(one.count, other.count)
        for index in 0..<count where one[index] != other[index] {
            self = one[index] < other[index] ? .before : .behind
            return
        }
        self.init(one.count, other.count)
    }

    /// The result with the operands exchanged.
    var reversed: ValueOrder {
        switch self {
        case .before: .behind
        case .behind: .before
        case .equal, .apart: self
        }
    }
}

extension QueryValue {
    /// Compares two values as conditions do; numbers compare by their mathematical value.
    func order(to other: QueryValue) -> ValueOrder {
        switch (self, other) {
        case (.bool(let one), .bool(let other)): ValueOrder(one ? 1 : 0, other ? 1 : 0)
        case (.integer(let one), .integer(let other)): ValueOrder(one, other)
        case (.number(let one), .number(let other)): ValueOrder(one, other)
        case (.integer(let one), .number(let other)): Self.order(one, other)
        case (.number(let one), .integer(let other)): Self.order(other, one).reversed
        case (.moment(let one), .moment(let other)): ValueOrder(one, other)
        case (.text(let one), .text(let other)):
            one.withUTF8Span { one in other.withUTF8Span { other in ValueOrder(one, other) } }
        case (.bytes(let one), .bytes(let other)): ValueOrder(one.span, other.span)
        case (.uuid(let one), .uuid(let other)): ValueOrder(one.span, other.span)
        case (.decimal, .decimal), (.decimal, .integer), (.integer, .decimal),
            (.decimal, .number), (.number, .decimal):
            Self.exactOrder(self, other)
        case (.json(let one), .json(let other)): ValueOrder(one.key.span, other.key.span)
        case (.stored(let one), .stored(let other)): one == other ? .equal : .apart
        default: .apart
        }
    }

    /// Whether conditions treat the values as equal; null equals null.
    package func isEqual(to other: QueryValue) -> Bool {
        if case .null = self, case .null = other { return true }
        return order(to: other) == .equal
    }

    /// Whether the value is greater than another.
    package func isGreater(than other: QueryValue) -> Bool { order(to: other) == .behind }

    /// Compares without rounding the integer.
    private static func order(_ integer: Int128, _ number: Double) -> ValueOrder {
        guard !number.isNaN else { return .apart }
        guard number < 0x1p127 else { return .before }
        guard number >= -0x1p127 else { return .behind }
        let floor = number.rounded(.down)
        let order = ValueOrder(integer, Int128(floor))
        return order == .equal && floor < number ? .before : order
    }

    private static func exactOrder(_ one: QueryValue, _ other: QueryValue) -> ValueOrder {
        // Infinity is beyond all decimals.
        if case .number(let number) = other, number.isInfinite {
            return one.exactNumber == nil ? .apart : number > 0 ? .before : .behind
        }
        if case .number(let number) = one, number.isInfinite {
            return other.exactNumber == nil ? .apart : number > 0 ? .behind : .before
        }
        guard let one = one.exactNumber, let other = other.exactNumber else { return .apart }
        return one.order(to: other)
    }

    /// The number with all its digits; nil if the value is not a finite number.
    var exactNumber: ExactNumber? {
        switch self {
        case .integer(let value): ExactNumber(value)
        case .number(let value): ExactNumber(value)
        case .decimal(let text): ExactNumber(text)
        default: nil
        }
    }
}
