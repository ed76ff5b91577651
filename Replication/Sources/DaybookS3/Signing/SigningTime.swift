internal import Foundation

/// The time of a signature.
struct SigningTime: Sendable {
    /// The time in UTC, such as `20130524T000000Z`.
    let text: String

    /// Creates the time of a date.
    init(_ date: Date) {
        text = date.formatted(
            Date.ISO8601FormatStyle(
                dateSeparator: .omitted, dateTimeSeparator: .standard, timeSeparator: .omitted,
                timeZone: .gmt))
    }

    /// The day, such as `20130524`.
    var day: String { String(text.prefix(8)) }
}
