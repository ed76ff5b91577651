import DaybookRecords

/// Encodes values as they are stored in rows.
enum RowBytes {
    /// Returns nil if the type cannot represent the value.
    static func bytes(of value: QueryValue, as type: FieldType) -> [UInt8]? {
        switch (value, type) {
        case (.bool(let value), .bool): [value ? 1 : 0]
        case (.integer(let value), .int8): Int8(exactly: value).map { littleEndian($0) }
        case (.integer(let value), .int16): Int16(exactly: value).map { littleEndian($0) }
        case (.integer(let value), .int32): Int32(exactly: value).map { littleEndian($0) }
        case (.integer(let value), .int64): Int64(exactly: value).map { littleEndian($0) }
        case (.integer(let value), .uint8): UInt8(exactly: value).map { littleEndian($0) }
        case (.integer(let value), .uint16): UInt16(exactly: value).map { littleEndian($0) }
        case (.integer(let value), .uint32): UInt32(exactly: value).map { littleEndian($0) }
        case (.integer(let value), .uint64): UInt64(exactly: value).map { littleEndian($0) }
        case (.number(let value), .float):
            Float(exactly: value).map { littleEndian($0.bitPattern) }
        case (.number(let value), .double):
            value.isNaN ? nil : littleEndian(value.bitPattern)
        case (.moment(let value), .date):
            value % 1_000_000 == 0
                ? Int64(exactly: value / 1_000_000).map { littleEndian($0) } : nil
        case (.moment(let value), .dateNano): Int64(exactly: value).map { littleEndian($0) }
        case (.text(let value), .string): Array(value.utf8)
        case (.bytes(let value), .bytes): value
        case (.uuid(let value), .uuid): value.count == 16 ? value : nil
        case (.decimal(let value), .decimal): Array(value.utf8)
        case (.json(let value), .json): value.text
        default: nil
        }
    }

    private static func littleEndian<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
        (0..<Value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> Value($0 * 8)) }
    }
}
