#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
import DaybookBytes
import DaybookEngine

extension RowReader {
    /// Reads a property through a converter that is handed nil where there is no value. The store
    /// must not be used inside the converter: that is `.insideConversion`.
    public func read<Stored: PropertyValue, Value>(
        _ index: Int, converting type: Stored.Type, with convert: (Stored?) throws -> Value
    ) throws -> Value {
        let stored = try read(index, as: Stored?.self)
        return try Engine.withoutStores { try convert(stored) }
    }

    /// Reads a property through a converter that is handed the stored type's zero where there is no
    /// value. Else as with an optional.
    @_disfavoredOverload
    public func read<Stored: PropertyValue, Value>(
        _ index: Int, converting type: Stored.Type, with convert: (Stored) throws -> Value
    ) throws -> Value {
        let stored = try read(index, as: Stored.self)
        return try Engine.withoutStores { try convert(stored) }
    }

    /// Reads a date that is kept to the nanosecond; 1970 where there is none.
    public func readNanoseconds(_ index: Int) throws -> Date {
        try read(index, as: NanosecondDate.self).date
    }

    /// Reads an optional date that is kept to the nanosecond.
    public func readNanoseconds(_ index: Int) throws -> Date? {
        try read(index, as: NanosecondDate?.self)?.date
    }

    /// Reads a value that is kept as JSON. Throws `.invalidValue` where there is none, and for JSON
    /// that does not make a value of the type.
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

    /// Reads a value that is kept as JSON; `fallback` where there is none.
    public func readEncoded<Value: Decodable>(
        _ index: Int, default fallback: @autoclosure () -> Value
    ) throws -> Value {
        try encoded(index, as: Value.self) ?? fallback()
    }

    /// Reads an optional value that is kept as JSON.
    public func readEncoded<Value: Decodable>(_ index: Int) throws -> Value? {
        try encoded(index, as: Value.self)
    }

    private func encoded<Value: Decodable>(_ index: Int, as type: Value.Type) throws -> Value? {
        try read(index, as: EncodedValue<Value>?.self)?.value
    }
}

extension RowWriter {
    /// Writes a property through a converter. The store must not be used inside the converter: that
    /// is `.insideConversion`.
    public mutating func write<Value, Stored: PropertyValue>(
        _ value: Value, at index: Int, converting type: Stored.Type,
        with convert: (Value) throws -> Stored
    ) throws {
        let stored = try Engine.withoutStores { try convert(value) }
        try write(stored, at: index)
    }

    /// Writes a property through a converter that may have no value for it.
    @_disfavoredOverload
    public mutating func write<Value, Stored: PropertyValue>(
        _ value: Value, at index: Int, converting type: Stored.Type,
        with convert: (Value) throws -> Stored?
    ) throws {
        let stored = try Engine.withoutStores { try convert(value) }
        try write(stored, at: index)
    }

    /// Writes a date to the nanosecond. Throws `.invalidValue` outside the years 1677 to 2262.
    public mutating func writeNanoseconds(_ value: Date?, at index: Int) throws {
        try write(value.map(NanosecondDate.init), at: index)
    }

    /// Writes a value as JSON. Throws `.invalidValue`, whose cause is what encoding threw.
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
