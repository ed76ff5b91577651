extension JSONText {
    /// Writes a moment in microseconds since 1970 as RFC 3339 in UTC. The text has all six digits,
    /// so that it identifies the transaction again when a command reads it. A moment outside the
    /// years 0001 … 9999 is written as `{"us":n}`.
    package mutating func moment(microseconds: Int64) {
        if let text = Self.momentText(microseconds: microseconds) { return string(text) }
        beginObject()
        name("us")
        integer(microseconds)
        endObject()
    }

    /// The text that ``moment(microseconds:)`` writes, for callers that write it often; nil outside
    /// the years 0001 … 9999.
    package static func momentText(microseconds: Int64) -> String? {
        let (whole, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000)
        let milliseconds = rest < 0 ? whole - 1 : whole
        guard let date = CalendarDate(millisecondsSince1970: milliseconds) else { return nil }
        let digits = String(microseconds - milliseconds * 1_000)
        let padding = String(repeating: "0", count: 3 - digits.count)
        return date.rfc3339.dropLast() + padding + digits + "Z"
    }
}
