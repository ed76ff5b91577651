/// A moment as a UTC date in the proleptic Gregorian calendar.
package struct CalendarDate: Sendable, Hashable {
    package let civil: CivilDay
    /// Milliseconds since midnight.
    private let millisecondOfDay: Int

    private static let millisecondsPerDay: Int64 = 86_400_000

    /// Nil outside the years 0001 … 9999, which is the range of RFC 3339.
    package init?(millisecondsSince1970 milliseconds: Int64) {
        guard milliseconds >= -62_135_596_800_000, milliseconds <= 253_402_300_799_999 else {
            return nil
        }
        let dayNumber = milliseconds.flooredQuotient(by: Self.millisecondsPerDay)
        millisecondOfDay = Int(milliseconds - dayNumber * Self.millisecondsPerDay)
        civil = CivilDay(daysSince1970: dayNumber)
    }

    /// `2026-11-21T03:50:00.123Z`
    package var rfc3339: String {
        let seconds = millisecondOfDay / 1_000
        let date = "\(padded(Int(civil.year), 4))-\(padded(civil.month, 2))-\(padded(civil.day, 2))"
        let time = "\(padded(seconds / 3_600, 2)):\(padded(seconds / 60 % 60, 2))"
        return "\(date)T\(time):\(padded(seconds % 60, 2)).\(padded(millisecondOfDay % 1_000, 3))Z"
    }

    private func padded(_ number: Int, _ count: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
}
