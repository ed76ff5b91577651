import DaybookRecords

extension DatePart {
    private static let nanosecondsPerSecond: Int128 = 1_000_000_000
    private static let secondsPerDay: Int64 = 86_400

    /// The part of a date in a time zone.
    func value(_ nanosecondsSince1970: Int128, in zone: QueryZone) -> Int64 {
        let whole = nanosecondsSince1970.flooredQuotient(by: Self.nanosecondsPerSecond)
        let seconds = Int64(clamping: whole)
        // Far away from the end of the range, so that no sum overflows.
        let local = max(-1 << 62, min(1 << 62, seconds)) + zone.offset(seconds)
        let day = local.flooredQuotient(by: Self.secondsPerDay)
        switch self {
        case .year: return CivilDay(daysSince1970: day).year
        case .month: return Int64(CivilDay(daysSince1970: day).month)
        case .day: return Int64(CivilDay(daysSince1970: day).day)
        // 1 January 1970 was a Thursday.
        case .weekday: return day + 4 - 7 * (day + 4).flooredQuotient(by: 7) + 1
        case .hour: return (local - day * Self.secondsPerDay) / 3_600
        }
    }
}
