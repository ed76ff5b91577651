#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import Daybook

/// Parses the JSON of ``AnyRealmValueText``. Throws `.invalidValue` for any other string.
struct AnyRealmValueReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    mutating func readAll() throws(DaybookError) -> AnyRealmValue {
        let value = try readValue(depth: 0)
        guard position == bytes.count else { throw unreadable }
        return value
    }

    private mutating func readValue(depth: Int) throws(DaybookError) -> AnyRealmValue {
        try AnyRealmValueText.check(depth - 1)
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
            try take("{")
            let type = try readText()
            try take(":")
            let value = try readTyped(type, depth: depth)
            try take("}")
            return value
        default:
            guard let number = Int(readNumber()) else { throw unreadable }
            return .int(number)
        }
    }

    /// Parses the value after the name of its type.
    private mutating func readTyped(
        _ type: String, depth: Int
    ) throws(DaybookError) -> AnyRealmValue {
        if type == "dictionary" {
            var values: [String: AnyRealmValue] = [:]
            try readElements(from: "{", to: "}") { (reader) throws(DaybookError) in
                let key = try reader.readText()
                try reader.take(":")
                values[key] = try reader.readValue(depth: depth + 1)
            }
            return .dictionary(values)
        }
        let isText = peek == UInt8(ascii: "\"")
        let text = isText ? try readText() : readNumber()
        let value: AnyRealmValue? =
            switch (type, isText) {
            case ("float", false): Float(text).map { .float($0) }
            case ("float", true): UInt32(text, radix: 16).map { .float(Float(bitPattern: $0)) }
            case ("double", _): Self.number(text, isText).map { .double($0) }
            case ("date", _):
                Self.number(text, isText).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
            case ("data", true): Data(base64Encoded: text).map { .data($0) }
            case ("objectId", true): ObjectId(text).map { .objectId($0) }
            case ("decimal128", true):
                text == "NaN" ? .decimal128(.nan) : Decimal(string: text).map { .decimal128($0) }
            case ("uuid", true): UUID(uuidString: text).map { .uuid($0) }
            default: nil
            }
        guard let value else { throw unreadable }
        return value
    }

    private static func number(_ text: String, _ isBits: Bool) -> Double? {
        isBits ? UInt64(text, radix: 16).map { Double(bitPattern: $0) } : Double(text)
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

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
        if peek != "\(end)".utf8.first {
            try read(&self)
            while peek == UInt8(ascii: ",") {
                position += 1
                try read(&self)
            }
        }
        try take(end)
    }

    private mutating func readNumber() -> String {
        let start = position
        let endings: [UInt8?] = [nil, UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}")]
        while !endings.contains(peek) { position += 1 }
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
            position += 1
            if escaped != UInt8(ascii: "u") {
                guard escaped == UInt8(ascii: "\"") || escaped == UInt8(ascii: "\\") else {
                    throw unreadable
                }
                text.append(escaped)
                continue
            }
            let digits = String(decoding: bytes[position...].prefix(4), as: UTF8.self)
            guard let value = UInt8(digits, radix: 16), value < 0x20, digits.utf8.count == 4
            else { throw unreadable }
            text.append(value)
            position += 4
        }
        try take("\"")
        return String(decoding: text, as: UTF8.self)
    }

    private var unreadable: DaybookError {
        DaybookError(
            .invalidValue,
            "The stored JSON is not an AnyRealmValue; another program wrote it. Read the property"
                + " as the type that wrote it.",
            details: ["offset": "\(position)"])
    }
}
