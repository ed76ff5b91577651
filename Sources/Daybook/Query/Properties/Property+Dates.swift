#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
import DaybookQuery

// Parts of dates in the Gregorian calendar, which is used for all times. Without a time zone, they
// are those in UTC.

/// A type of property that is stored as a date: `Date`, and its optional.
public protocol DateValue: OrderedValue {
    /// The type of a part: `Int`, or its optional.
    associatedtype Part: PropertyValue & Sendable
}

extension Date: DateValue {
    /// The type of a part.
    public typealias Part = Int
}

extension Optional: DateValue where Wrapped == Date {
    /// The type of a part.
    public typealias Part = Int?
}

extension Property where Value: DateValue {
    /// The year in UTC.
    public var year: Property<Root, Value.Part> { part(.year, .utc) }

    /// The month in UTC, from 1.
    public var month: Property<Root, Value.Part> { part(.month, .utc) }

    /// The day of the month in UTC, from 1.
    public var day: Property<Root, Value.Part> { part(.day, .utc) }

    /// The day of the week in UTC, from 1 for Sunday to 7 for Saturday, as in `Calendar`.
    public var weekday: Property<Root, Value.Part> { part(.weekday, .utc) }

    /// The hour of the day in UTC, from 0 to 23.
    public var hour: Property<Root, Value.Part> { part(.hour, .utc) }

    /// The year in a time zone. A comparison of the year with a number uses an index of the date.
    public func year(in zone: TimeZone) -> Property<Root, Value.Part> { part(.year, zone) }

    /// The month in a time zone, from 1.
    public func month(in zone: TimeZone) -> Property<Root, Value.Part> { part(.month, zone) }

    /// The day of the month in a time zone, from 1.
    public func day(in zone: TimeZone) -> Property<Root, Value.Part> { part(.day, zone) }

    /// The day of the week in a time zone, from 1 for Sunday to 7 for Saturday.
    public func weekday(in zone: TimeZone) -> Property<Root, Value.Part> { part(.weekday, zone) }

    /// The hour of the day in a time zone, from 0 to 23.
    public func hour(in zone: TimeZone) -> Property<Root, Value.Part> { part(.hour, zone) }

    private func part(_ part: DatePart, _ zone: TimeZone) -> Property<Root, Value.Part> {
        self.part(
            part,
            QueryZone(zone.identifier) { seconds in
                Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds))))
            })
    }

    private func part(_ part: DatePart, _ zone: QueryZone) -> Property<Root, Value.Part> {
        Property<Root, Value.Part>(PropertyTerm(.part(part, in: zone), [term]), PlainConversion())
    }
}
