#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import DaybookBytes

/// A `Codable` value that was read from JSON.
struct EncodedValue<Value: Decodable>: PropertyValue {
    let value: Value

    static var propertyType: PropertyType { .json }

    static func read(_ value: borrowing ValueReader) throws -> EncodedValue {
        EncodedValue(value: try EncodedText.decode(try value.text()))
    }

    func write(to value: inout ValueWriter) throws {
        throw DaybookError(
            .invalidArgument,
            "A value that was read as JSON is not written as JSON.")
    }
}

/// Encodes and decodes values as JSON. Keys are sorted, so equal values have equal bytes. Numbers
/// that JSON does not support are strings.
enum EncodedText {
    private static let infinity = "Infinity"
    private static let minusInfinity = "-Infinity"
    private static let notANumber = "NaN"

    static func encode(_ value: some Encodable) throws(DaybookError) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: infinity, negativeInfinity: minusInfinity, nan: notANumber)
        do {
            return String(decoding: try encoder.encode(value), as: UTF8.self)
        } catch {
            throw DaybookError(
                .invalidValue,
                "A \(type(of: value)) could not be encoded as JSON. The cause is the encoding"
                    + " error.",
                cause: error)
        }
    }

    static func decode<Value: Decodable>(_ text: String) throws -> Value {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: infinity, negativeInfinity: minusInfinity, nan: notANumber)
        do {
            return try decoder.decode(Value.self, from: Data(text.utf8))
        } catch {
            throw DaybookError(
                .invalidValue,
                "The stored JSON cannot be decoded as \(Value.self). Accept the JSON of earlier"
                    + " versions of the type, or read the property as another type.",
                cause: error, details: ["value": String(text.prefix(200))])
        }
    }
}
