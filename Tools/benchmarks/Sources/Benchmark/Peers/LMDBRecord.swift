/// The compact form of an object in a key-value store: fixed fields, two lengths, two strings.
enum LMDBRecord {
    static let fixedLength = 39
    static let lengthMax = fixedLength + 2 * 255

    /// Encodes an object. Returns the number of bytes.
    @inline(__always)
    static func encode(_ item: Item, to target: UnsafeMutableRawPointer) -> Int {
        var text = item.text
        var category = item.category
        target.storeBytes(of: item.i32, toByteOffset: 0, as: Int32.self)
        target.storeBytes(of: item.i64, toByteOffset: 4, as: Int64.self)
        target.storeBytes(of: item.f64, toByteOffset: 12, as: Double.self)
        target.storeBytes(of: item.date, toByteOffset: 20, as: Int64.self)
        target.storeBytes(of: item.customerId, toByteOffset: 28, as: UInt64.self)
        target.storeBytes(of: item.flag ? 1 : 0, toByteOffset: 36, as: UInt8.self)
        var length = fixedLength
        text.withUTF8 { bytes in
            target.storeBytes(of: UInt8(bytes.count), toByteOffset: 37, as: UInt8.self)
            (target + length).copyMemory(from: bytes.baseAddress!, byteCount: bytes.count)
            length += bytes.count
        }
        category.withUTF8 { bytes in
            target.storeBytes(of: UInt8(bytes.count), toByteOffset: 38, as: UInt8.self)
            (target + length).copyMemory(from: bytes.baseAddress!, byteCount: bytes.count)
            length += bytes.count
        }
        return length
    }

    /// Decodes an object.
    @inline(__always)
    static func decode(_ id: UInt64, _ source: UnsafeRawPointer) -> Item {
        let textLength = Int(source.loadUnaligned(fromByteOffset: 37, as: UInt8.self))
        let categoryLength = Int(source.loadUnaligned(fromByteOffset: 38, as: UInt8.self))
        return Item(
            id: id, text: string(source + fixedLength, textLength),
            i32: source.loadUnaligned(fromByteOffset: 0, as: Int32.self),
            i64: source.loadUnaligned(fromByteOffset: 4, as: Int64.self),
            f64: source.loadUnaligned(fromByteOffset: 12, as: Double.self),
            flag: source.loadUnaligned(fromByteOffset: 36, as: UInt8.self) != 0,
            date: source.loadUnaligned(fromByteOffset: 20, as: Int64.self),
            category: string(source + fixedLength + textLength, categoryLength),
            customerId: source.loadUnaligned(fromByteOffset: 28, as: UInt64.self))
    }

    /// Whether the `Int32` of an encoded object is below a number.
    @inline(__always)
    static func isBelow(_ limit: Int32, _ source: UnsafeRawPointer) -> Bool {
        source.loadUnaligned(fromByteOffset: 0, as: Int32.self) < limit
    }

    /// Whether the string of an encoded object begins with a byte.
    @inline(__always)
    static func begins(with byte: UInt8, _ source: UnsafeRawPointer) -> Bool {
        source.loadUnaligned(fromByteOffset: 37, as: UInt8.self) > 0
            && source.loadUnaligned(fromByteOffset: fixedLength, as: UInt8.self) == byte
    }

    @inline(__always)
    private static func string(_ start: UnsafeRawPointer, _ length: Int) -> String {
        String(decoding: UnsafeRawBufferPointer(start: start, count: length), as: UTF8.self)
    }
}
