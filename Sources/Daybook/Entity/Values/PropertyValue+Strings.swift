#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
import DaybookBytes

extension String: PropertyValue {
    public static var propertyType: PropertyType { .string }
    public static func read(_ value: borrowing ValueReader) throws -> String { try value.text() }
    public func write(to value: inout ValueWriter) { value.append(text: self) }
    public static func read(_ index: Int, of row: borrowing RowReader) throws -> String {
        guard let field = try row.field(index, .string) else { return "" }
        return try row.view.text(field)
    }
    public func write(to row: inout RowWriter, at index: Int) throws {
        try row.check(index, .string)
        try row.encoder.set(text: self, at: index)
    }
}

extension Data: PropertyValue {
    public static var propertyType: PropertyType { .bytes }
    public static func read(_ value: borrowing ValueReader) -> Data { Data(value.bytes.array) }
    public func write(to value: inout ValueWriter) { value.bytes.append([UInt8](self).span) }
    public func write(to row: inout RowWriter, at index: Int) throws {
        try row.check(index, .bytes)
        try row.encoder.set(bytes: [UInt8](self).span, at: index)
    }
}

/// Stored as its 16 bytes, in the order of its string form.
extension UUID: PropertyValue {
    public static var propertyType: PropertyType { .uuid }
    public static func read(_ value: borrowing ValueReader) throws -> UUID {
        guard !value.isNull else { return UUID(uuid: zeroBytes) }
        let bytes = value.bytes
        guard bytes.count == 16 else {
            throw DaybookError(
                .corruption,
                "A UUID is damaged: it has \(bytes.count) bytes. Restore the store from a backup.")
        }
        return UUID(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7],
                bytes[8], bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14],
                bytes[15]
            ))
    }
    public func write(to value: inout ValueWriter) {
        let (b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15) = uuid
        let bytes = [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15]
        value.bytes.append(bytes.span)
    }

    private static let zeroBytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
}

/// Stored as its digits, without loss of precision.
extension Decimal: PropertyValue {
    public static var propertyType: PropertyType { .decimal }
    public static func read(_ value: borrowing ValueReader) throws -> Decimal {
        guard !value.isNull else { return 0 }
        let text = try value.text()
        guard !text.isEmpty else { return 0 }
        guard text != "NaN" else { return .nan }
        guard let number = Decimal(string: text) else {
            throw DaybookError(
                .corruption,
                "A decimal number is damaged: '\(text.prefix(50))'. Restore the store from a"
                    + " backup.")
        }
        return number
    }
    public func write(to value: inout ValueWriter) { value.append(text: description) }
}

/// Stored as its string. A relative URL is stored without its base URL.
extension URL: PropertyValue {
    public static var propertyType: PropertyType { .string }
    public static func read(_ value: borrowing ValueReader) throws -> URL {
        let text = try value.text()
        // A URL cannot be empty; this one represents a missing value.
        if text.isEmpty, let nowhere = URL(string: "about:blank") { return nowhere }
        guard let url = URL(string: text) else {
            throw DaybookError(
                .invalidValue,
                "'\(text.prefix(100))' is not a URL. Read the property as a String.",
                details: ["value": String(text.prefix(100))])
        }
        return url
    }
    public func write(to value: inout ValueWriter) { value.append(text: relativeString) }
}
