#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import Daybook

/// Parses JSON, of ``AnyRealmValueText`` or of another program. Throws `.invalidValue` for any
/// other string.
struct AnyRealmValueReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    mutating func readAll() throws(DaybookError) -> AnyRealmValue {
        let value = try readValue(depth: 0)
        skipSpace()
        guard position == bytes.count else { throw unreadable }
        return value
    }

    private mutating func readValue(depth: Int) throws(DaybookError) -> AnyRealmValue {
        try AnyRealmValueText.check(depth - 1)
        skipSpace()
        switch peek {
        case UInt8(ascii: "n"): return try take("null", as: .none)
        case UInt8(ascii: "t"): return try take("true", as: .bool(true))
        case UInt8(ascii: "f"): return try take("false", as: .bool(false))
        case UInt8(ascii: "\""): return .string(try readText())
        case UInt8(ascii: "["):
            var values: [AnyRealmValue] = []
            try readElements(from: "[", to: "]") { (reader) throws(DaybookError) in
                values.append(try reader.readValue(depth: depth + 1))
            }
            return .list(values)
        case UInt8(ascii: "{"):
            if let value = try readTyped() { return value }
            return .dictionary(try readMembers(depth: depth))
        default:
            let digits = readNumber()
            if let number = Int(digits) { return .int(number) }
            guard let number = Double(digits), number.isFinite, digits.utf8.allSatisfy(isDigit)
            else { throw unreadable }
            return .double(number)
        }
    }

    /// Whether the byte is part of a number in JSON. Swift's parsers accept more.
    private func isDigit(_ byte: UInt8) -> Bool { "+-.0123456789Ee".utf8.contains(byte) }

    private mutating func readMembers(
        depth: Int
    ) throws(DaybookError) -> [String: AnyRealmValue] {
        var values: [String: AnyRealmValue] = [:]
        try readElements(from: "{", to: "}") { (reader) throws(DaybookError) in
            reader.skipSpace()
            let key = try reader.readText()
            reader.skipSpace()
            try reader.take(":")
            values[key] = try reader.readValue(depth: depth + 1)
        }
        try MapKey.check(values.keys, of: nil)
        return values
    }

    /// Parses an object whose only member is the name of a type and its value; nil, without effect,
    /// for a dictionary.
    private mutating func readTyped() throws(DaybookError) -> AnyRealmValue? {
        let start = position
        try take("{")
        skipSpace()
        guard peek == UInt8(ascii: "\""), let type = try? readText(), type.hasPrefix("$") else {
            position = start
            return nil
        }
        skipSpace()
        try take(":")
        skipSpace()
        let isText = peek == UInt8(ascii: "\"")
        let text = isText ? try readText() : readNumber()
        let value: AnyRealmValue? =
            switch (type, isText) {
            case ("$float", false): Float(text).map { .float($0) }
            case ("$float", true): UInt32(text, radix: 16).map { .float(Float(bitPattern: $0)) }
            case ("$double", true): Self.number(text, isText).map { .double($0) }
            case ("$date", _):
                Self.number(text, isText).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
            case ("$data", true): Data(base64Encoded: text).map { .data($0) }
            case ("$objectId", true): ObjectId(text).map { .objectId($0) }
            case ("$decimal128", true):
                text == "NaN" ? .decimal128(.nan) : Decimal(string: text).map { .decimal128($0) }
            case ("$uuid", true): UUID(uuidString: text).map { .uuid($0) }
            default: nil
            }
        guard let value else { throw unreadable }
        skipSpace()
        try take("}")
        return value
    }

    private static func number(_ text: String, _ isBits: Bool) -> Double? {
        isBits ? UInt64(text, radix: 16).map { Double(bitPattern: $0) } : Double(text)
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = peek, " \t\n\r".utf8.contains(byte) { position += 1 }
    }

    private mutating func take(_ text: StaticString) throws(DaybookError) {
        for byte in "\(text)".utf8 {
            guard peek == byte else { throw unreadable }
            position += 1
        }
    }

    private mutating func take(
        _ text: StaticString, as value: AnyRealmValue
    ) throws(DaybookError) -> AnyRealmValue {
        try take(text)
        return value
    }

    private mutating func readElements(
        from start: StaticString, to end: StaticString,
        _ read: (inout AnyRealmValueReader) throws(DaybookError) -> Void
    ) throws(DaybookError) {
        try take(start)
        skipSpace()
        if peek != "\(end)".utf8.first {
            try read(&self)
            skipSpace()
            while peek == UInt8(ascii: ",") {
                position += 1
                try read(&self)
                skipSpace()
            }
        }
        try take(end)
    }

    private mutating func readNumber() -> String {
        let start = position
        while let byte = peek, !",]} \t\n\r".utf8.contains(byte) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func readText() throws(DaybookError) -> String {
        try take("\"")
        var text: [UInt8] = []
        while let byte = peek, byte != UInt8(ascii: "\"") {
            position += 1
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                continue
            }
            guard let escaped = peek else { throw unreadable }
            if escaped == UInt8(ascii: "u") {
                position -= 1
                text += try readUnits().utf8
            } else if let byte = Self.escapes[escaped] {
                text.append(byte)
                position += 1
            } else {
                throw unreadable
            }
        }
        try take("\"")
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of the escapes with one letter.
    private static let escapes: [UInt8: UInt8] = [
        0x22: 0x22, 0x5C: 0x5C, 0x2F: 0x2F, 0x62: 0x08, 0x66: 0x0C, 0x6E: 0x0A, 0x72: 0x0D,
        0x74: 0x09,
    ]

    /// Parses escapes of UTF-16: a character may need two of them.
    private mutating func readUnits() throws(DaybookError) -> String {
        var units: [UInt16] = []
        while bytes[position...].starts(with: "\\u".utf8) {
            let digits = bytes[position...].dropFirst(2).prefix(4)
            guard digits.count == 4, digits.allSatisfy({ $0 != UInt8(ascii: "+") }),
                let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
            else { throw unreadable }
            units.append(unit)
            position += 6
        }
        guard let text = String(validating: units, as: UTF16.self) else { throw unreadable }
        return text
    }

    private var unreadable: DaybookError {
        DaybookError(
            .invalidValue,
            "The stored JSON is not an AnyRealmValue; another program wrote it. Read the property"
                + " as the type that wrote it.",
            details: ["offset": "\(position)"])
    }
}
