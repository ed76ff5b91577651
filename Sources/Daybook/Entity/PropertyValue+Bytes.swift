#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
import DaybookBytes

extension String: PropertyValue {
    public static var propertyType: PropertyType { .string }
    public static func read(_ index: Int, of row: borrowing RowReader) throws -> String {
        guard let field = try row.field(index, .string) else { return "" }
        return try row.view.text(field)
    }
    public func write(to row: inout RowWriter, at index: Int) throws {
        try row.check(index, .string)
        try row.encoder.set(text: self, at: index)
    }
}

extension [UInt8]: PropertyValue {
    public static var propertyType: PropertyType { .bytes }
    public static func read(_ index: Int, of row: borrowing RowReader) throws -> [UInt8] {
        guard let field = try row.field(index, .bytes) else { return [] }
        return try row.view.bytes(field).array
    }
    public func write(to row: inout RowWriter, at index: Int) throws {
        try row.check(index, .bytes)
        try row.encoder.set(bytes: span, at: index)
    }
}

extension Data: PropertyValue {
    public static var propertyType: PropertyType { .bytes }
    public static func read(_ index: Int, of row: borrowing RowReader) throws -> Data {
        Data(try [UInt8].read(index, of: row))
    }
    public func write(to row: inout RowWriter, at index: Int) throws {
        try [UInt8](self).write(to: &row, at: index)
    }
}

/// Kept as whole milliseconds since 1970, rounded to the nearest; so a date survives to the
/// millisecond.
extension Date: PropertyValue {
    public static var propertyType: PropertyType { .date }
    public static func read(_ index: Int, of row: borrowing RowReader) throws -> Date {
        guard let field = try row.field(index, .date) else { return Date(timeIntervalSince1970: 0) }
        return Date(timeIntervalSince1970: Double(row.view.date(field)) / 1000)
    }
    public func write(to row: inout RowWriter, at index: Int) throws {
        try row.check(index, .date)
        guard let milliseconds = Int64(exactly: (timeIntervalSince1970 * 1000).rounded()) else {
            throw DaybookError(
                .invalidValue,
                "Property '\(row.name(of: index))' has a date that milliseconds in 64 bits cannot"
                    + " hold. Use nil for 'no date'.",
                details: ["property": row.name(of: index)])
        }
        row.encoder.set(date: milliseconds, at: index)
    }
}
