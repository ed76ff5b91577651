package import DaybookRecords

/// The writer of JSON lines, for those who stand on the engine alone.
package typealias JSONText = DaybookRecords.JSONText

extension JSONText {
    /// A moment in microseconds since 1970 as RFC 3339 in UTC, with all six digits, so that it
    /// names the transaction again when it is handed back; one outside the years 0001 … 9999 as
    /// `{"us":n}`.
    package mutating func moment(microseconds: Int64) {
        if let text = Self.momentText(microseconds: microseconds) { return string(text) }
        beginObject()
        name("us")
        integer(microseconds)
        endObject()
    }

    /// The text of ``moment(microseconds:)``, for those who write it many times; nil where there is
    /// none.
    package static func momentText(microseconds: Int64) -> String? {
        let (whole, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000)
        let milliseconds = rest < 0 ? whole - 1 : whole
        guard let date = CalendarDate(millisecondsSince1970: milliseconds) else { return nil }
        let digits = String(microseconds - milliseconds * 1_000)
        let padding = String(repeating: "0", count: 3 - digits.count)
        return date.rfc3339.dropLast() + padding + digits + "Z"
    }
}
