#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import Daybook

/// Writes an ``AnyRealmValue`` as JSON. Equal values have equal JSON.
///
/// Null, Boolean values, integers, 64-bit floating-point numbers, strings, lists and dictionaries
/// are plain JSON values; a floating-point number has a point or an exponent. A value of another
/// type is an object with one member, named after the type: `{"$float":1.5}`, `{"$data":"AAE="}`. A
/// dictionary has no such key. A number that JSON cannot represent is written as its bits, in a
/// string of hexadecimal digits.
///
/// Indexes and conditions compare this JSON as `JSONKey` in `DaybookRecords` describes.
enum AnyRealmValueText {
    /// The maximum nesting depth of lists and dictionaries; Realm has the same limit.
    static let depthMax = 100

    static func append(
        _ value: AnyRealmValue, to text: inout String, depth: Int
    ) throws(DaybookError) {
        switch value {
        case .none: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .int(let value): text += "\(value)"
        case .string(let value): append(value, to: &text)
        case .float(let value):
            member(
                "$float", value.isFinite ? "\(value)" : "\"\(hex(UInt64(value.bitPattern)))\"",
                &text)
        case .double(let value) where value.isFinite: text += "\(value)"
        case .double(let value): member("$double", number(value), &text)
        case .date(let value):
            member("$date", number(value.timeIntervalSinceReferenceDate), &text)
        case .data(let value): member("$data", "\"\(value.base64EncodedString())\"", &text)
        case .objectId(let value): member("$objectId", "\"\(value)\"", &text)
        case .decimal128(let value): member("$decimal128", "\"\(value.description)\"", &text)
        case .uuid(let value): member("$uuid", "\"\(value.uuidString)\"", &text)
        case .list(let values):
            try check(depth)
            text += "["
            for (index, value) in values.enumerated() {
                if index > 0 { text += "," }
                try append(value, to: &text, depth: depth + 1)
            }
            text += "]"
        case .dictionary(let values):
            try check(depth)
            try MapKey.check(values.keys, of: nil)
            text += "{"
            let sorted = values.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            for (index, pair) in sorted.enumerated() {
                if index > 0 { text += "," }
                append(pair.key, to: &text)
                text += ":"
                try append(pair.value, to: &text, depth: depth + 1)
            }
            text += "}"
        }
    }

    private static func member(_ name: String, _ value: String, _ text: inout String) {
        text += "{\"\(name)\":\(value)}"
    }

    /// The shortest decimal representation that identifies the number.
    private static func number(_ value: Double) -> String {
        value.isFinite ? "\(value)" : "\"\(hex(value.bitPattern))\""
    }

    private static func hex(_ bits: UInt64) -> String { String(bits, radix: 16) }

    private static func append(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\0"..<" ":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }

    static func check(_ depth: Int) throws(DaybookError) {
        guard depth >= depthMax else { return }
        throw DaybookError(
            .invalidValue,
            "An AnyRealmValue has lists or dictionaries that are nested deeper than \(depthMax)"
                + " levels. Use fewer levels.",
            details: ["limit": "\(depthMax)"])
    }
}
