// Each number has the fixed width of its type. `Int` and `UInt` have 64 bits on every platform.

extension Bool: PropertyValue {
    public static var propertyType: PropertyType { .bool }
    public static func read(_ value: borrowing ValueReader) -> Bool { value.load(UInt8.self) != 0 }
    public func write(to value: inout ValueWriter) { value.bytes.uint8(self ? 1 : 0) }
    public static func read(_ index: Int, of row: borrowing RowReader) throws -> Bool {
        guard let field = try row.field(index, .bool) else { return false }
        return row.view.bool(field)
    }
    public func write(to row: inout RowWriter, at index: Int) throws {
        try row.check(index, .bool)
        row.encoder.set(bool: self, at: index)
    }
}

extension Int8: PropertyValue {
    public static var propertyType: PropertyType { .int8 }
    public static func read(_ value: borrowing ValueReader) -> Int8 { value.load(Int8.self) }
    public func write(to value: inout ValueWriter) { value.bytes.uint8(UInt8(bitPattern: self)) }
    public static func read(_ index: Int, of row: borrowing RowReader) throws -> Int8 {
        guard let field = try row.field(index, .int8) else { return 0 }
        return row.view.int8(field)
    }
    public func write(to row: inout RowWriter, at index: Int) throws {
        try row.check(index, .int8)
        row.encoder.set(int8: self, at: index)
    }
}

extension Int16: PropertyValue {
    public static var propertyType: PropertyType { .int16 }
    public static func read(_ value: borrowing ValueReader) -> Int16 { value.load(Int16.self) }
    public func write(to value: inout ValueWriter) { value.bytes.uint16(UInt16(bitPattern: self)) }
    public static func read(_ index: Int, of row: borrowing RowReader) throws -> Int16 {
        guard let field = try row.field(index, .int16) else { return 0 }
        return row.view.int16(field)
    }
    public func write(to row: inout RowWriter, at index: Int) throws {
        try row.check(index, .int16)
        row.encoder.set(int16: self, at: index)
    }
}

extension Int32: PropertyValue {
    public static var propertyType: PropertyType { .int32 }
    public static func read(_ value: borrowing ValueReader) -> Int32 { value.load(Int32.self) }
    public func write(to value: inout ValueWriter) { value.bytes.uint32(UInt32(bitPattern: self)) }
    public static func read(_ index: Int, of row: borrowing RowReader) throws -> Int32 {
        guard let field = try row.field(index, .int32) else { return 0 }
        return row.view.int32(field)
    }
    public func write(to row: inout RowWriter, at index: Int) throws {
        try row.check(index, .int32)
        row.encoder.set(int32: self, at: index)
    }
}

extension Int64: PropertyValue {
    public static var propertyType: PropertyType { .int64 }
    public static func read(_ value: borrowing ValueReader) -> Int64 { value.load(Int64.self) }
    public func write(to value: inout ValueWriter) { value.bytes.uint64(UInt64(bitPattern: self)) }
    public static func read(_ index: Int, of row: borrowing RowReader) throws -> Int64 {
        guard let field = try row.field(index, .int64) else { return 0 }
        return row.view.int64(field)
    }
    public func write(to row: inout RowWriter, at index: Int) throws {
        try row.check(index, .int64)
        row.encoder.set(int64: self, at: index)
    }
}

extension Int: PropertyValue {
    public static var propertyType: PropertyType { .int64 }
    public static func read(_ value: borrowing ValueReader) -> Int {
        Int(truncatingIfNeeded: value.load(Int64.self))
    }
    public func write(to value: inout ValueWriter) {
        value.bytes.uint64(UInt64(bitPattern: Int64(self)))
    }
    public static func read(_ index: Int, of row: borrowing RowReader) throws -> Int {
        guard let field = try row.field(index, .int64) else { return 0 }
        return Int(truncatingIfNeeded: row.view.int64(field))
    }
    public func write(to row: inout RowWriter, at index: Int) throws {
        try row.check(index, .int64)
        row.encoder.set(int64: Int64(self), at: index)
    }
}

extension UInt8: PropertyValue {
    public static var propertyType: PropertyType { .uint8 }
    public static func read(_ value: borrowing ValueReader) -> UInt8 { value.load(UInt8.self) }
    public func write(to value: inout ValueWriter) { value.bytes.uint8(self) }
    public static func read(_ index: Int, of row: borrowing RowReader) throws -> UInt8 {
        guard let field = try row.field(index, .uint8) else { return 0 }
        return row.view.uint8(field)
    }
    public func write(to row: inout RowWriter, at index: Int) throws {
        try row.check(index, .uint8)
        row.encoder.set(uint8: self, at: index)
    }
}

extension UInt16: PropertyValue {
    public static var propertyType: PropertyType { .uint16 }
    public static func read(_ value: borrowing ValueReader) -> UInt16 { value.load(UInt16.self) }
    public func write(to value: inout ValueWriter) { value.bytes.uint16(self) }
    public static func read(_ index: Int, of row: borrowing RowReader) throws -> UInt16 {
        guard let field = try row.field(index, .uint16) else { return 0 }
        return row.view.uint16(field)
    }
    public func write(to row: inout RowWriter, at index: Int) throws {
        try row.check(index, .uint16)
        row.encoder.set(uint16: self, at: index)
    }
}

extension UInt32: PropertyValue {
    public static var propertyType: PropertyType { .uint32 }
    public static func read(_ value: borrowing ValueReader) -> UInt32 { value.load(UInt32.self) }
    public func write(to value: inout ValueWriter) { value.bytes.uint32(self) }
    public static func read(_ index: Int, of row: borrowing RowReader) throws -> UInt32 {
        guard let field = try row.field(index, .uint32) else { return 0 }
        return row.view.uint32(field)
    }
    public func write(to row: inout RowWriter, at index: Int) throws {
        try row.check(index, .uint32)
        row.encoder.set(uint32: self, at: index)
    }
}

extension UInt64: PropertyValue {
    public static var propertyType: PropertyType { .uint64 }
    public static func read(_ value: borrowing ValueReader) -> UInt64 { value.load(UInt64.self) }
    public func write(to value: inout ValueWriter) { value.bytes.uint64(self) }
    public static func read(_ index: Int, of row: borrowing RowReader) throws -> UInt64 {
        guard let field = try row.field(index, .uint64) else { return 0 }
        return row.view.uint64(field)
    }
    public func write(to row: inout RowWriter, at index: Int) throws {
        try row.check(index, .uint64)
        row.encoder.set(uint64: self, at: index)
    }
}

extension UInt: PropertyValue {
    public static var propertyType: PropertyType { .uint64 }
    public static func read(_ value: borrowing ValueReader) -> UInt {
        UInt(truncatingIfNeeded: value.load(UInt64.self))
    }
    public func write(to value: inout ValueWriter) { value.bytes.uint64(UInt64(self)) }
    public static func read(_ index: Int, of row: borrowing RowReader) throws -> UInt {
        guard let field = try row.field(index, .uint64) else { return 0 }
        return UInt(truncatingIfNeeded: row.view.uint64(field))
    }
    public func write(to row: inout RowWriter, at index: Int) throws {
        try row.check(index, .uint64)
        row.encoder.set(uint64: UInt64(self), at: index)
    }
}

extension Float: PropertyValue {
    public static var propertyType: PropertyType { .float }
    public static func read(_ value: borrowing ValueReader) -> Float {
        Float(bitPattern: value.load(UInt32.self))
    }
    public func write(to value: inout ValueWriter) { value.bytes.uint32(bitPattern) }
    public static func read(_ index: Int, of row: borrowing RowReader) throws -> Float {
        guard let field = try row.field(index, .float) else { return 0 }
        return row.view.float(field)
    }
    public func write(to row: inout RowWriter, at index: Int) throws {
        try row.check(index, .float)
        row.encoder.set(float: self, at: index)
    }
}

extension Double: PropertyValue {
    public static var propertyType: PropertyType { .double }
    public static func read(_ value: borrowing ValueReader) -> Double {
        Double(bitPattern: value.load(UInt64.self))
    }
    public func write(to value: inout ValueWriter) { value.bytes.uint64(bitPattern) }
    public static func read(_ index: Int, of row: borrowing RowReader) throws -> Double {
        guard let field = try row.field(index, .double) else { return 0 }
        return row.view.double(field)
    }
    public func write(to row: inout RowWriter, at index: Int) throws {
        try row.check(index, .double)
        row.encoder.set(double: self, at: index)
    }
}
