package import DaybookBytes
package import DaybookRecords

/// Decodes values from the bytes in rows and collections.
package enum StoredValue {
    /// Decodes a value of a stored type and converts it to another one. Throws `.corruption` if the
    /// bytes are not a value of the stored type.
    package static func value(
        _ bytes: Span<UInt8>, _ stored: FieldType, as type: FieldType,
        _ conversion: ShapeConversion = .none
    ) throws(DaybookError) -> QueryValue {
        switch stored {
        case .bool: return .bool(try load(UInt8.self, bytes) != 0)
        case .int8: return .integer(Int128(try load(Int8.self, bytes)))
        case .int16: return .integer(Int128(try load(Int16.self, bytes)))
        case .int32: return .integer(Int128(try load(Int32.self, bytes)))
        case .int64: return .integer(Int128(try load(Int64.self, bytes)))
        case .uint8: return .integer(Int128(try load(UInt8.self, bytes)))
        case .uint16: return .integer(Int128(try load(UInt16.self, bytes)))
        case .uint32: return .integer(Int128(try load(UInt32.self, bytes)))
        case .uint64: return .integer(Int128(try load(UInt64.self, bytes)))
        case .float: return .number(Double(Float(bitPattern: try load(UInt32.self, bytes))))
        case .double: return .number(Double(bitPattern: try load(UInt64.self, bytes)))
        case .date:
            return .moment(nanoseconds(try load(Int64.self, bytes), isClamped: type == .dateNano))
        case .dateNano: return .moment(Int128(try load(Int64.self, bytes)))
        case .string: return .text(try String(checkingUTF8: bytes))
        case .bytes: return .bytes(bytes.array)
        case .uuid:
            guard bytes.count == 16 else {
                throw DaybookError(
                    .corruption,
                    "A UUID is damaged: it has \(bytes.count) bytes. Restore the store from a"
                        + " backup.")
            }
            return .uuid(bytes.array)
        // Empty bytes are zero, as objects read them.
        case .decimal: return .decimal(bytes.count == 0 ? "0" : try String(checkingUTF8: bytes))
        case .json: return .json(OrderedJSON(bytes.array))
        case .list, .set, .map, .embedded:
            guard conversion != .none else { return .stored(bytes.array) }
            var writer = ByteWriter(capacity: 2 * bytes.count)
            try conversion.append(bytes, to: &writer)
            return .stored(writer.bytes)
        case .toOne, .toMany, .objects, .keyedObjects: return .null
        }
    }

    /// Converts milliseconds to nanoseconds. With `isClamped`, clamps to the range of stored
    /// nanoseconds.
    static func nanoseconds(_ milliseconds: Int64, isClamped: Bool) -> Int128 {
        let nanoseconds = Int128(milliseconds) * 1_000_000
        return isClamped ? Int128(Int64(clamping: nanoseconds)) : nanoseconds
    }

    private static func load<Value: FixedWidthInteger & BitwiseCopyable>(
        _ type: Value.Type, _ bytes: Span<UInt8>
    ) throws(DaybookError) -> Value {
        guard let value = bytes.loadLittleEndian(type, at: 0) else {
            throw DaybookError(
                .corruption,
                "A value is damaged: it has \(bytes.count) bytes. Restore the store from a backup.")
        }
        return value
    }
}
