/// A function of one or two values of an object. The result is null if an argument is null.
package enum QueryFunction: Sendable, Hashable {
    /// The sum of two numbers, or two strings joined.
    case add
    case subtract, multiply
    /// The number of Unicode scalars of a string.
    case length
    case part(DatePart, in: QueryZone)

    /// The function in query syntax, with its arguments.
    func text(_ arguments: [String]) -> String {
        switch self {
        case .add: "(\(arguments.joined(separator: " + ")))"
        case .subtract: "(\(arguments.joined(separator: " - ")))"
        case .multiply: "(\(arguments.joined(separator: " * ")))"
        case .length: "length(\(arguments.joined()))"
        case .part(let part, let zone):
            "\(part.rawValue)(\(arguments.joined()) in \(zone.name))"
        }
    }
}

/// A part of a date in the Gregorian calendar. Days of the week are numbered from 1, Sunday; hours
/// from 0; months and days from 1.
package enum DatePart: String, Sendable, Hashable, CaseIterable {
    case year, month, day, weekday, hour
}

/// A time zone.
package struct QueryZone: Sendable, Hashable {
    /// The name, which identifies the zone.
    package let name: String
    /// Returns the difference to UTC, in seconds, at a time in seconds since 1970.
    let offset: @Sendable (_ secondsSince1970: Int64) -> Int64

    package init(_ name: String, _ offset: @escaping @Sendable (Int64) -> Int64) {
        self.name = name
        self.offset = offset
    }

    /// UTC.
    package static let utc = QueryZone("UTC") { _ in 0 }

    package static func == (one: QueryZone, other: QueryZone) -> Bool { one.name == other.name }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
