import DaybookRecords

/// A comparison of two decoded values.
struct ValueComparison: Sendable {
    let comparison: QueryComparison
    let options: StringOptions

    init(_ comparison: QueryComparison, _ options: StringOptions) {
        self.comparison = comparison
        self.options = options
    }

    func isTrue(of one: QueryValue, _ other: QueryValue) -> Bool {
        let (one, other) = (one.folded(options), other.folded(options))
        switch comparison {
        case .equal: return one.isEqual(to: other)
        case .notEqual: return !one.isEqual(to: other)
        case .less: return one.order(to: other) == .before
        case .greater: return one.order(to: other) == .behind
        case .lessOrEqual:
            let order = one.order(to: other)
            return order == .before || order == .equal && !one.isNull
        case .greaterOrEqual:
            let order = one.order(to: other)
            return order == .behind || order == .equal && !one.isNull
        }
    }
}

extension QueryValue {
    var isNull: Bool {
        if case .null = self { true } else { false }
    }
}

/// A range of values.
struct ValueRange: Sendable {
    let lower: QueryBound?
    let upper: QueryBound?

    init(_ lower: QueryBound?, _ upper: QueryBound?) {
        self.lower = lower
        self.upper = upper
    }

    func contains(_ value: QueryValue) -> Bool {
        guard !value.isNull else { return false }
        if let lower {
            switch value.order(to: lower.value) {
            case .behind: break
            case .equal where lower.isInclusive: break
            default: return false
            }
        }
        guard let upper else { return true }
        switch value.order(to: upper.value) {
        case .before: return true
        case .equal: return upper.isInclusive
        default: return false
        }
    }
}

/// The numbers within a tolerance of a number.
enum Nearness {
    /// The bounds of |x - value| <= tolerance, computed in `Double`; nil if no number satisfies it.
    static func range(
        of value: Double, tolerance: Double
    ) -> (lower: QueryBound, upper: QueryBound)? {
        guard !value.isNaN else { return nil }
        if value.isInfinite {
            guard tolerance.isInfinite else { return nil }
            // All numbers except the value itself, because the difference of infinities is NaN.
            return (
                QueryBound(.number(-.infinity), isInclusive: value > 0),
                QueryBound(.number(.infinity), isInclusive: value < 0)
            )
        }
        let upper = last(from: value) { $0 - value <= tolerance }
        let lower = -last(from: -value) { $0 + value <= tolerance }
        return (
            QueryBound(.number(lower), isInclusive: true),
            QueryBound(.number(upper), isInclusive: true)
        )
    }

    /// Binary search: the largest number that satisfies a monotonic predicate, which must be true
    /// for `first`.
    private static func last(from first: Double, _ isTrue: (Double) -> Bool) -> Double {
        var low = place(of: first)
        var high = place(of: .infinity)
        while low < high {
            let middle = low + (high - low + 1) / 2
            if isTrue(number(at: middle)) { low = middle } else { high = middle - 1 }
        }
        return number(at: low)
    }

    /// Maps numbers to integers in the same order.
    private static func place(of number: Double) -> Int128 {
        let bits = Int128(number.magnitude.bitPattern)
        return number < 0 ? -bits : bits
    }

    private static func number(at place: Int128) -> Double {
        let magnitude = Double(bitPattern: UInt64(place.magnitude))
        return place < 0 ? -magnitude : magnitude
    }
}
