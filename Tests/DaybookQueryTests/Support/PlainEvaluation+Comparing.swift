import DaybookRecords
@testable import DaybookQuery
import Foundation

// Simple, slow comparisons: numbers as decimals, strings as arrays of scalars.
extension PlainEvaluation {
    func compare(
        _ one: QueryValue, _ comparison: QueryComparison, _ other: QueryValue
    ) -> Bool {
        let order = order(one, other)
        let isEqual = order == 0 || one == .null && other == .null
        switch comparison {
        case .equal: return isEqual
        case .notEqual: return !isEqual
        case .less: return order == -1
        case .greater: return order == 1
        case .lessOrEqual: return order == -1 || order == 0
        case .greaterOrEqual: return order == 1 || order == 0
        }
    }

    func isBetween(_ value: QueryValue, _ lower: QueryBound?, _ upper: QueryBound?) -> Bool {
        var (lower, upper) = (lower, upper)
        if let one = lower, let other = upper, order(one.value, other.value) == 1 {
            (lower, upper) = (other, one)
        }
        guard value != .null else { return false }
        if let lower {
            guard compare(value, lower.isInclusive ? .greaterOrEqual : .greater, lower.value)
            else { return false }
        }
        guard let upper else { return true }
        return compare(value, upper.isInclusive ? .lessOrEqual : .less, upper.value)
    }

    /// Returns -1, 0 or 1; nil if the values have no order.
    func order(_ one: QueryValue, _ other: QueryValue) -> Int? {
        switch (one, other) {
        case (.bool(let one), .bool(let other)): return order(one ? 1 : 0, other ? 1 : 0)
        case (.text(let one), .text(let other)):
            return order(one.unicodeScalars.map(\.value), other.unicodeScalars.map(\.value))
        case (.bytes(let one), .bytes(let other)), (.uuid(let one), .uuid(let other)):
            return order(one.map(UInt32.init), other.map(UInt32.init))
        case (.moment(let one), .moment(let other)): return order(one, other)
        case (.number(let one), .number(let other)):
            return one < other ? -1 : one > other ? 1 : one == other ? 0 : nil
        default:
            guard let (one, isHuge) = number(one), let (other, isOtherHuge) = number(other) else {
                return nil
            }
            if isHuge || isOtherHuge { return order(isHuge ? one : 0, isOtherHuge ? other : 0) }
            return order(one, other)
        }
    }

    private func order<Value: Comparable>(_ one: Value, _ other: Value) -> Int {
        one < other ? -1 : one > other ? 1 : 0
    }

    private func order(_ one: [UInt32], _ other: [UInt32]) -> Int {
        one.lexicographicallyPrecedes(other) ? -1 : other.lexicographicallyPrecedes(one) ? 1 : 0
    }

    /// Exact for the values in the tests; of very large numbers only the sign.
    private func number(_ value: QueryValue) -> (Decimal, isHuge: Bool)? {
        switch value {
        case .integer(let value): return Decimal(string: String(value)).map { ($0, false) }
        case .decimal(let text): return Decimal(string: text).map { ($0, false) }
        case .number(let value):
            if value.isNaN { return nil }
            if value.magnitude > 1e30 { return (value < 0 ? -1 : 1, true) }
            let isWhole = value == value.rounded()
            return Decimal(string: isWhole ? String(Int128(value)) : "\(value)")
                .map { ($0, false) }
        default: return nil
        }
    }

    func fold(_ value: QueryValue, _ options: StringOptions) -> QueryValue {
        guard case .text(let text) = value, !options.isEmpty else { return value }
        return .text(
            TextFolding.fold(
                text, ignoresCase: options.contains(.caseInsensitive),
                ignoresDiacritics: options.contains(.diacriticInsensitive)))
    }

    func test(_ text: String, _ test: TextTest, _ pattern: String) -> Bool {
        let scalars = Array(text.unicodeScalars)
        let wanted = Array(pattern.unicodeScalars)
        switch test {
        case .hasPrefix: return scalars.starts(with: wanted)
        case .hasSuffix: return scalars.reversed().starts(with: wanted.reversed())
        case .contains:
            return (0...scalars.count).contains { scalars[$0...].starts(with: wanted) }
        case .like: return isLike(scalars[...], wanted[...])
        }
    }

    private func isLike(
        _ text: ArraySlice<Unicode.Scalar>, _ pattern: ArraySlice<Unicode.Scalar>
    ) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        if first == "*" {
            return (text.startIndex...text.endIndex).contains {
                isLike(text[$0...], pattern.dropFirst())
            }
        }
        guard let letter = text.first else { return false }
        if first == "\\", pattern.count > 1 {
            return pattern.dropFirst().first == letter
                && isLike(text.dropFirst(), pattern.dropFirst(2))
        }
        return (first == "?" || first == letter) && isLike(text.dropFirst(), pattern.dropFirst())
    }
}
