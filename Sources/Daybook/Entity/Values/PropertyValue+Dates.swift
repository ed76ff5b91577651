#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
import DaybookBytes

/// Stored as whole milliseconds since 1970, rounded to the nearest. Use ``NanosecondDate`` for a
/// higher precision.
extension Date: PropertyValue {
    public static var propertyType: PropertyType { .date }
    public static func read(_ value: borrowing ValueReader) -> Date {
        Date(milliseconds: value.load(Int64.self))
    }
    public func write(to value: inout ValueWriter) throws {
        value.bytes.uint64(UInt64(bitPattern: try milliseconds(of: nil)))
    }
    public static func read(_ index: Int, of row: borrowing RowReader) throws -> Date {
        guard let field = try row.field(index, .date) else { return Date(milliseconds: 0) }
        return Date(milliseconds: row.view.date(field))
    }
    public func write(to row: inout RowWriter, at index: Int) throws {
        try row.check(index, .date)
        row.encoder.set(date: try milliseconds(of: row.name(of: index)), at: index)
    }
}

extension Date {
    fileprivate init(milliseconds: Int64) {
        self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    /// Throws `.invalidValue` for a date that does not fit. `property` is the name for the message.
    fileprivate func milliseconds(of property: String?) throws(DaybookError) -> Int64 {
        if let milliseconds = Int64(exactly: (timeIntervalSince1970 * 1000).rounded()) {
            return milliseconds
        }
        throw Self.outOfRange(property, "milliseconds in 64 bits")
    }

    static func outOfRange(_ property: String?, _ kept: String) -> DaybookError {
        DaybookError(
            .invalidValue,
            "\(property.map { "Property '\($0)'" } ?? "A collection") has a date that \(kept)"
                + " cannot hold. Use nil for 'no date'.",
            details: property.map { ["property": $0] } ?? [:])
    }
}

/// A date with a precision of nanoseconds.
///
/// A `Date` stores seconds in a `Double`. More than some hundred days away from 2001 its precision
/// is less than a nanosecond, so the same value is read back exactly. Nearer to 2001 it is rounded
/// to the nanosecond. The years 1677 to 2262 can be stored.
public struct NanosecondDate: PropertyValue, Hashable, Sendable {
    /// The date.
    public var date: Date

    /// Creates a nanosecond date from a date.
    public init(_ date: Date) { self.date = date }

    public static var propertyType: PropertyType { .dateNano }
    public static func read(_ value: borrowing ValueReader) -> NanosecondDate {
        NanosecondDate(nanoseconds: value.load(Int64.self))
    }
    public func write(to value: inout ValueWriter) throws {
        value.bytes.uint64(UInt64(bitPattern: try nanoseconds(of: nil)))
    }
    public static func read(_ index: Int, of row: borrowing RowReader) throws -> NanosecondDate {
        guard let field = try row.field(index, .dateNano) else {
            return NanosecondDate(nanoseconds: 0)
        }
        return NanosecondDate(nanoseconds: row.view.dateNano(field))
    }
    public func write(to row: inout RowWriter, at index: Int) throws {
        try row.check(index, .dateNano)
        row.encoder.set(dateNano: try nanoseconds(of: row.name(of: index)), at: index)
    }

    private static let perSecond: Int64 = 1_000_000_000
    /// The seconds from 1970 to 2001, the reference date of `Date`, near which it is most precise.
    private static let referenceSeconds: Int64 = 978_307_200

    /// Converts whole seconds and the fraction separately, because a `Double` represents each of
    /// them exactly, but not their sum.
    private init(nanoseconds: Int64) {
        var (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: Self.perSecond)
        if rest < 0 { (seconds, rest) = (seconds - 1, rest + Self.perSecond) }
        date = Date(
            timeIntervalSinceReferenceDate: Double(seconds - Self.referenceSeconds)
                + Double(rest) / Double(Self.perSecond))
    }

    private func nanoseconds(of property: String?) throws(DaybookError) -> Int64 {
        let interval = date.timeIntervalSinceReferenceDate
        let whole = interval.rounded(.down)
        let fraction = ((interval - whole) * Double(Self.perSecond)).rounded()
        guard let seconds = Int64(exactly: whole) else { throw Self.outOfRange(property) }
        let (since1970, isBeyond) = seconds.addingReportingOverflow(Self.referenceSeconds)
        let (scaled, isTooLarge) = since1970.multipliedReportingOverflow(by: Self.perSecond)
        let (sum, isPastEnd) = scaled.addingReportingOverflow(Int64(fraction))
        guard !isBeyond, !isTooLarge, !isPastEnd else { throw Self.outOfRange(property) }
        return sum
    }

    private static func outOfRange(_ property: String?) -> DaybookError {
        Date.outOfRange(property, "nanoseconds in 64 bits")
    }
}
