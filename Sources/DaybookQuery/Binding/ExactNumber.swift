import DaybookBytes
import DaybookRecords

/// A decimal number of arbitrary precision.
struct ExactNumber: Sendable, Equatable {
    private(set) var isNegative: Bool
    /// The digits from the first to the last nonzero one; empty for zero.
    private(set) var digits: [UInt8]
    /// The number is 0.digits × 10^exponent; 0 for zero.
    private(set) var exponent: Int64

    init(isNegative: Bool, digits: [UInt8], exponent: Int64) {
        var digits = digits
        var exponent = exponent
        if let first = digits.firstIndex(where: { $0 != 0 }), first > 0 {
            digits.removeFirst(first)
            exponent -= Int64(first)
        }
        while digits.last == 0 { digits.removeLast() }
        self.digits = digits
        self.isNegative = isNegative && !digits.isEmpty
        self.exponent = digits.isEmpty ? 0 : exponent
    }

    init(_ value: Int128) {
        let digits = String(value.magnitude).utf8.map { $0 - 0x30 }
        self.init(isNegative: value < 0, digits: digits, exponent: Int64(digits.count))
    }

    /// Returns nil if the string is not a number.
    init?(_ text: String) {
        guard let number = text.withUTF8Span({ ExactNumber($0) }) else { return nil }
        self = number
    }

    /// Returns nil if the string is not a number.
    init?(_ text: Span<UInt8>) {
        guard let text = DecimalText(text) else { return nil }
        self.init(isNegative: text.isNegative, digits: text.digits, exponent: text.exponent)
    }

    /// Returns nil for infinity and NaN. The largest and smallest numbers have several hundred
    /// digits.
    init?(_ value: Double) {
        guard value.isFinite else { return nil }
        guard value != 0 else {
            self.init(Int128(0))
            return
        }
        // The value is an integer times a power of two.
        let power = Int(value.exponent) - value.significandWidth
        let odd = Int128(value.magnitude.significand * Double(1 << value.significandWidth))
        var limbs = Limbs(UInt64(odd))
        if power >= 0 {
            limbs.multiply(by: 2, times: power)
        } else {
            // 2⁻ⁿ = 5ⁿ × 10⁻ⁿ.
            limbs.multiply(by: 5, times: -power)
        }
        let digits = limbs.digits
        self.init(
            isNegative: value < 0, digits: digits,
            exponent: Int64(digits.count) + Int64(min(0, power)))
    }

    func order(to other: ExactNumber) -> ValueOrder {
        if digits.isEmpty || other.digits.isEmpty || isNegative != other.isNegative {
            return ValueOrder(sign, other.sign)
        }
        let order =
            exponent == other.exponent
            ? ValueOrder(digits.span, other.digits.span) : ValueOrder(exponent, other.exponent)
        return isNegative ? order.reversed : order
    }

    /// The maximum number of digits of a sum.
    static let digitCountMax = 10_000

    /// The sum; nil if it would have too many digits.
    func adding(_ other: ExactNumber) -> ExactNumber? {
        guard !digits.isEmpty else { return other }
        guard !other.digits.isEmpty else { return self }
        let top = max(exponent, other.exponent)
        let bottom = min(
            exponent - Int64(digits.count), other.exponent - Int64(other.digits.count))
        guard top - bottom < Int64(Self.digitCountMax) else { return nil }
        let count = Int(top - bottom)
        let one = padded(to: count, from: top)
        let second = other.padded(to: count, from: top)
        if isNegative == other.isNegative {
            return ExactNumber(
                isNegative: isNegative, digits: Self.sum(one, second), exponent: top + 1)
        }
        let isSmaller = one.lexicographicallyPrecedes(second)
        return ExactNumber(
            isNegative: isSmaller ? other.isNegative : isNegative,
            digits: isSmaller ? Self.difference(second, one) : Self.difference(one, second),
            exponent: top)
    }

    /// The digits, padded with zeros to `count` digits from the power `top`.
    private func padded(to count: Int, from top: Int64) -> [UInt8] {
        let before = [UInt8](repeating: 0, count: Int(top - exponent))
        let after = [UInt8](repeating: 0, count: count - before.count - digits.count)
        return before + digits + after
    }

    /// The sum of two digit sequences of equal length, with one digit more.
    private static func sum(_ one: [UInt8], _ other: [UInt8]) -> [UInt8] {
        var sum = [UInt8](repeating: 0, count: one.count + 1)
        var carry: UInt8 = 0
        for index in one.indices.reversed() {
            let digit = one[index] + other[index] + carry
            carry = digit / 10
            sum[index + 1] = digit % 10
        }
        sum[0] = carry
        return sum
    }

    /// The difference of two digit sequences; the first must not be the smaller one.
    private static func difference(_ one: [UInt8], _ other: [UInt8]) -> [UInt8] {
        var difference = one
        var borrow: UInt8 = 0
        for index in one.indices.reversed() {
            let taken = other[index] + borrow
            borrow = one[index] < taken ? 1 : 0
            difference[index] = one[index] + 10 * borrow - taken
        }
        return difference
    }

    private var sign: Int { digits.isEmpty ? 0 : isNegative ? -1 : 1 }

    /// The largest integer that is not greater; nil if it has more than 38 digits.
    var floor: Int128? {
        guard exponent <= 38 else { return nil }
        guard exponent > 0 else { return isNegative ? -1 : 0 }
        var whole: Int128 = 0
        for place in 0..<Int(exponent) {
            whole = whole * 10 + (place < digits.count ? Int128(digits[place]) : 0)
        }
        guard isNegative else { return whole }
        return -whole - (digits.count > Int(exponent) ? 1 : 0)
    }

    /// Whether the number is an integer.
    var isWhole: Bool { digits.isEmpty || Int64(digits.count) <= exponent }

    /// The maximum magnitude of an exponent in text: nine digits.
    private static let powerMax: Int64 = 999_999_999

    /// The canonical text of the number.
    var text: String {
        guard !digits.isEmpty else { return "0" }
        let sign = isNegative ? "-" : ""
        let all = String(decoding: digits.map { $0 + 0x30 }, as: UTF8.self)
        if exponent > 0, exponent <= 40 {
            if digits.count <= Int(exponent) {
                return sign + all + String(repeating: "0", count: Int(exponent) - digits.count)
            }
            return sign + all.prefix(Int(exponent)) + "." + all.dropFirst(Int(exponent))
        }
        if exponent <= 0, exponent > -20 {
            return sign + "0." + String(repeating: "0", count: Int(-exponent)) + all
        }
        let power = exponent - Int64(digits.count)
        let powerMax = Self.powerMax
        if power > powerMax {
            return sign + all + String(repeating: "0", count: Int(power - powerMax))
                + "e\(powerMax)"
        }
        guard power < -powerMax else { return sign + all + "e\(power)" }
        // Digits below the least power follow the decimal point.
        let zeros = String(repeating: "0", count: Int(max(0, -powerMax - exponent)))
        return sign + "0." + zeros + all + "e\(max(exponent, -powerMax))"
    }
}

/// An unsigned integer of any size, in base 10⁹, lowest limb first.
private struct Limbs {
    private static let base: UInt64 = 1_000_000_000
    private var limbs: [UInt64]

    init(_ value: UInt64) {
        limbs = [value % Self.base, value / Self.base % Self.base, value / Self.base / Self.base]
    }

    mutating func multiply(by factor: UInt64, times: Int) {
        var left = times
        while left > 0 {
            var product: UInt64 = 1
            while left > 0, product <= Self.base / factor {
                product *= factor
                left -= 1
            }
            var carry: UInt64 = 0
            for index in limbs.indices {
                let value = limbs[index] * product + carry
                limbs[index] = value % Self.base
                carry = value / Self.base
            }
            if carry > 0 { limbs.append(carry) }
        }
    }

    /// The decimal digits, highest first, possibly with leading zeros.
    var digits: [UInt8] {
        var digits: [UInt8] = []
        for limb in limbs.reversed() {
            var divisor = Self.base / 10
            while divisor > 0 {
                digits.append(UInt8(limb / divisor % 10))
                divisor /= 10
            }
        }
        return digits
    }
}
