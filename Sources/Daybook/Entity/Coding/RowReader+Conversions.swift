#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
import DaybookBytes
import DaybookEngine

extension RowReader {
    /// Reads a property through a converter. The converter receives nil if there is no value. The
    /// store must not be used inside the converter (`.insideConversion`).
    public func read<Stored: PropertyValue, Value>(
        _ index: Int, converting type: Stored.Type, with convert: (Stored?) throws -> Value
    ) throws -> Value {
        let stored = try read(index, as: Stored?.self)
        return try Engine.withoutStores { try convert(stored) }
    }

    /// Reads a property through a converter. The converter receives the stored type's zero if there
    /// is no value. Otherwise as with an optional.
    @_disfavoredOverload
    public func read<Stored: PropertyValue, Value>(
        _ index: Int, converting type: Stored.Type, with convert: (Stored) throws -> Value
    ) throws -> Value {
        let stored = try read(index, as: Stored.self)
        return try Engine.withoutStores { try convert(stored) }
    }

    /// Reads a date with a precision of nanoseconds; 1970 if there is no value.
    public func readNanoseconds(_ index: Int) throws -> Date {
        try read(index, as: NanosecondDate.self).date
    }

    /// Reads an optional date with a precision of nanoseconds.
    public func readNanoseconds(_ index: Int) throws -> Date? {
        try read(index, as: NanosecondDate?.self)?.date
    }

    /// Reads a value that is stored as JSON. Throws `.invalidValue` if there is no value, or if the
    /// type cannot be decoded from the JSON.
    @_disfavoredOverload
    public func readEncoded<Value: Decodable>(_ index: Int) throws -> Value {
        guard let value = try encoded(index, as: Value.self) else {
            throw DaybookError(
                .invalidValue,
                "The property at index \(index) has no value, and \(Value.self) has no zero."
                    + " Declare it optional, or give it an initial value.",
                details: ["index": String(index)])
        }
        return value
    }

    /// Reads a value that is stored as JSON; `fallback` if there is no value.
    public func readEncoded<Value: Decodable>(
        _ index: Int, default fallback: @autoclosure () -> Value
    ) throws -> Value {
        try encoded(index, as: Value.self) ?? fallback()
    }

    /// Reads an optional value that is stored as JSON.
    public func readEncoded<Value: Decodable>(_ index: Int) throws -> Value? {
        try encoded(index, as: Value.self)
    }

    private func encoded<Value: Decodable>(_ index: Int, as type: Value.Type) throws -> Value? {
        try read(index, as: EncodedValue<Value>?.self)?.value
    }
}

extension RowWriter {
    /// Writes a property through a converter. The store must not be used inside the converter
    /// (`.insideConversion`).
    public mutating func write<Value, Stored: PropertyValue>(
        _ value: Value, at index: Int, converting type: Stored.Type,
        with convert: (Value) throws -> Stored
    ) throws {
        let stored = try Engine.withoutStores { try convert(value) }
        try write(stored, at: index)
    }

    /// Writes a property through a converter that may return nil.
    @_disfavoredOverload
    public mutating func write<Value, Stored: PropertyValue>(
        _ value: Value, at index: Int, converting type: Stored.Type,
        with convert: (Value) throws -> Stored?
    ) throws {
        let stored = try Engine.withoutStores { try convert(value) }
        try write(stored, at: index)
    }

    /// Writes a date with a precision of nanoseconds. Throws `.invalidValue` for a date outside the
    /// years 1677 to 2262.
    public mutating func writeNanoseconds(_ value: Date?, at index: Int) throws {
        try write(value.map(NanosecondDate.init), at: index)
    }

    /// Writes a value as JSON. Throws `.invalidValue` with the encoding error as its cause.
    @_disfavoredOverload
    public mutating func writeEncoded<Value: Encodable>(_ value: Value, at index: Int) throws {
        try write(text: try EncodedText.encode(value), at: index)
    }

    /// Writes an optional value as JSON.
    public mutating func writeEncoded<Value: Encodable>(_ value: Value?, at index: Int) throws {
        guard let value else { return try writeNull(at: index) }
        try write(text: try EncodedText.encode(value), at: index)
    }

    private mutating func write(text: String, at index: Int) throws {
        try check(index, .json)
        try encoder.set(text: text, at: index)
    }
}
