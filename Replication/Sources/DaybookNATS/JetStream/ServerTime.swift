/// The times in headers: `2026-01-31T12:34:56.123456789Z`, with 0 to 9 digits after the seconds.
enum ServerTime {
    /// Returns the nanoseconds since 1970; nil for another form or a year outside 1970 to 2261.
    static func nanoseconds(_ text: String) -> Int64? {
        let parts = text.split(separator: "T", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].hasSuffix("Z") else { return nil }
        let date = parts[0].split(separator: "-").map { ControlLine.number($0.utf8) }
        let clock = parts[1].dropLast().split(separator: ".", omittingEmptySubsequences: false)
        let time = clock[0].split(separator: ":").map { ControlLine.number($0.utf8) }
        guard date.count == 3, time.count == 3, clock.count <= 2,
            let year = date[0], let month = date[1], let day = date[2],
            let hour = time[0], let minute = time[1], let second = time[2],
            (1970...2261).contains(year), (1...12).contains(month), (1...31).contains(day),
            (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second),
            let fraction = clock.count == 1 ? 0 : fraction(clock[1])
        else { return nil }
        let seconds = (dayCount(year, month, day) * 24 + hour) * 3600 + minute * 60 + second
        return Int64(seconds) * 1_000_000_000 + Int64(fraction)
    }

    /// Nanoseconds from the digits after the point.
    private static func fraction(_ digits: Substring) -> Int? {
        guard let value = ControlLine.number(digits.utf8) else { return nil }
        return (digits.utf8.count..<9).reduce(value) { scaled, _ in scaled * 10 }
    }

    /// The count of days from 1970 to a date of the Gregorian calendar.
    private static func dayCount(_ year: Int, _ month: Int, _ day: Int) -> Int {
        // The year begins in March, so that the leap day is its last day.
        let shifted = month > 2 ? year : year - 1
        let monthOfYear = (month + 9) % 12
        let dayOfYear = (153 * monthOfYear + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }
}
