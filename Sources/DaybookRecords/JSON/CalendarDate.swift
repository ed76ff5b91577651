/// A moment as a UTC date in the proleptic Gregorian calendar.
package struct CalendarDate: Sendable, Hashable {
    package let year: Int
    package let month: Int
    package let day: Int
    /// Milliseconds since midnight.
    private let millisecondOfDay: Int

    private static let millisecondsPerDay: Int64 = 86_400_000
    private static let daysPerEra: Int64 = 146_097
    /// The days from 1 March of the year 0 to 1 January 1970.
    private static let daysBefore1970: Int64 = 719_468

    /// Nil outside the years 0001 … 9999, which is the range of RFC 3339.
    package init?(millisecondsSince1970 milliseconds: Int64) {
        guard milliseconds >= -62_135_596_800_000, milliseconds <= 253_402_300_799_999 else {
            return nil
        }
        let dayNumber = Self.floor(milliseconds, by: Self.millisecondsPerDay)
        millisecondOfDay = Int(milliseconds - dayNumber * Self.millisecondsPerDay)
        // The calendar repeats every 400 years, an era. If a year starts in March, the leap day is
        // its last day, and all months follow one rule.
        let shifted = dayNumber + Self.daysBefore1970
        let era = Self.floor(shifted, by: Self.daysPerEra)
        let dayOfEra = shifted - era * Self.daysPerEra
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
        month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
        year = Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0)
    }

    /// `2026-11-21T03:50:00.123Z`
    package var rfc3339: String {
        let seconds = millisecondOfDay / 1_000
        let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
        let time = "\(padded(seconds / 3_600, 2)):\(padded(seconds / 60 % 60, 2))"
        return "\(date)T\(time):\(padded(seconds % 60, 2)).\(padded(millisecondOfDay % 1_000, 3))Z"
    }

    private func padded(_ number: Int, _ count: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }

    private static func floor(_ number: Int64, by divisor: Int64) -> Int64 {
        (number >= 0 ? number : number - divisor + 1) / divisor
    }
}
