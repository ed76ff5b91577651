/// Parses RFC 3339 into a range of UTC nanoseconds since 1970. The range covers the precision of
/// the string: a day means all its nanoseconds, and so does a second or a millisecond.
package struct MomentReader {
    private static let perSecond: Int128 = 1_000_000_000
    private static let perDay: Int128 = 86_400 * perSecond

    private var rest: Substring.UTF8View

    /// The range of time that a string denotes; nil if it is not a date.
    package static func read(_ text: String) -> ClosedRange<Int128>? {
        var reader = MomentReader(rest: text[...].utf8)
        return reader.moment()
    }

    private mutating func moment() -> ClosedRange<Int128>? {
        guard let year = number(4), take("-"), let month = number(2), take("-"),
            let day = number(2),
            let dayNumber = Self.dayNumber(year, month, day)
        else { return nil }
        let midnight = Int128(dayNumber) * Self.perDay
        if rest.isEmpty { return midnight...(midnight + Self.perDay - 1) }
        guard take("T") || take("t") || take(" "), let (time, precision) = timeOfDay(),
            let offset = offset(), rest.isEmpty
        else { return nil }
        let first = midnight + time - offset
        return first...(first + precision - 1)
    }

    /// The nanoseconds since midnight, and the precision in nanoseconds.
    private mutating func timeOfDay() -> (Int128, Int128)? {
        guard let hour = number(2), hour < 24, take(":"), let minute = number(2), minute < 60,
            take(":"), let second = number(2), second < 60
        else { return nil }
        var time = Int128((hour * 60 + minute) * 60 + second) * Self.perSecond
        var precision = Self.perSecond
        guard take(".") else { return (time, precision) }
        var digitCount = 0
        while let digit = digit() {
            digitCount += 1
            // Digits beyond nanoseconds are ignored.
            guard precision > 1 else { continue }
            precision /= 10
            time += Int128(digit) * precision
        }
        return digitCount > 0 ? (time, precision) : nil
    }

    /// The offset of the local time from UTC, in nanoseconds.
    private mutating func offset() -> Int128? {
        if take("Z") || take("z") { return 0 }
        let isAhead = take("+")
        guard isAhead || take("-"), let hours = number(2), hours < 24, take(":"),
            let minutes = number(2), minutes < 60
        else { return nil }
        let offset = Int128((hours * 60 + minutes) * 60) * Self.perSecond
        return isAhead ? offset : -offset
    }

    private mutating func number(_ digitCount: Int) -> Int64? {
        var value: Int64 = 0
        for _ in 0..<digitCount {
            guard let digit = digit() else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    private mutating func digit() -> Int64? {
        guard let byte = rest.first, byte >= 0x30, byte <= 0x39 else { return nil }
        rest.removeFirst()
        return Int64(byte - 0x30)
    }

    private mutating func take(_ letter: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: letter) else { return false }
        rest.removeFirst()
        return true
    }

    /// The number of days since 1970-01-01; nil if the calendar does not have the day.
    private static func dayNumber(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64? {
        guard year >= 1, month >= 1, month <= 12, day >= 1 else { return nil }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard day <= lengths[Int(month) - 1] else { return nil }
        let before = year - 1
        let days = before * 365 + before / 4 - before / 100 + before / 400
        let ofYear = lengths[..<(Int(month) - 1)].reduce(0, +) + day - 1
        return days + ofYear - 719_162
    }
}
