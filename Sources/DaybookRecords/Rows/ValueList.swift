package import DaybookBytes

/// Iterates over the elements of a list, set or map in one value:
///
/// element type (u8; the high bit is set if elements may be null) · count (varint) · for a map the
/// keys, each a length and UTF-8 · if elements may be null, a bitmap, low bits first · the
/// elements: fixed-width ones adjacent, others each after its length. A null element is zeros, or
/// of length zero.
///
/// The format is self-describing, so that a tool without the schema can print it.
package struct ValueList {
    /// One element.
    package enum Element: Sendable, Equatable {
        case null
        /// The range of its bytes.
        case value(Range<Int>)
    }

    static let mayBeNull: UInt8 = 0x80

    package let elementType: FieldType
    /// Whether elements may be null.
    package let isOptional: Bool
    package let count: Int
    private let bitmapStart: Int
    private var keyPosition: Int
    private var position: Int
    private var index = 0

    /// Decodes the head and, for a map, skips the keys. Throws `.corruption` for invalid bytes, and
    /// `.formatTooNew` for an unknown element type.
    package init(_ bytes: Span<UInt8>, isMap: Bool) throws(DaybookError) {
        var reader = ByteReader(bytes)
        let head = try reader.uint8()
        guard let type = FieldType(rawValue: head & ~Self.mayBeNull), !type.isRelation else {
            throw DaybookError(
                .formatTooNew,
                "A collection has elements of a type of a newer release; open the store with that.",
                details: ["type": "\(head & ~Self.mayBeNull)"])
        }
        elementType = type
        isOptional = head & Self.mayBeNull != 0
        let count = try reader.varint()
        // Each element takes at least a byte.
        guard count <= UInt64(reader.remaining) else { throw Self.damaged("its count is wrong") }
        self.count = Int(count)
        keyPosition = reader.offset
        if isMap { for _ in 0..<self.count { try reader.skip(try reader.length()) } }
        bitmapStart = reader.offset
        if isOptional { try reader.skip((self.count + 7) / 8) }
        position = reader.offset
        if self.count == 0, !reader.isAtEnd { throw Self.damaged("bytes follow its elements") }
    }

    /// The range of the next key of a map. Call it at most `count` times.
    package mutating func nextKey(in bytes: Span<UInt8>) throws(DaybookError) -> Range<Int> {
        var reader = ByteReader(bytes, from: keyPosition)
        let length = try reader.length()
        let start = reader.offset
        try reader.skip(length)
        keyPosition = reader.offset
        return start..<reader.offset
    }

    /// The next element; nil after the last.
    package mutating func next(in bytes: Span<UInt8>) throws(DaybookError) -> Element? {
        guard index < count else { return nil }
        let isNull =
            isOptional && bytes[bitmapStart + index / 8] & 1 << UInt8(index % 8) != 0
        var reader = ByteReader(bytes, from: position)
        let length =
            if let width = elementType.fixedWidthBytes { width } else { try reader.length() }
        let start = reader.offset
        try reader.skip(length)
        position = reader.offset
        index += 1
        if index == count, !reader.isAtEnd { throw Self.damaged("bytes follow its elements") }
        return isNull ? .null : .value(start..<reader.offset)
    }

    private static func damaged(_ what: String) -> DaybookError {
        DaybookError(
            .corruption, "A collection is damaged: \(what). Restore the store from a backup.")
    }
}

/// Writes the format of ``ValueList``.
package struct ValueListWriter: ~Copyable {
    private var writer = ByteWriter(capacity: 64)
    private let type: FieldType
    private let bitmapStart: Int?
    private var index = 0

    /// Begins a list or set of `count` elements, or a map with these keys, sorted by their bytes.
    package init(of type: FieldType, isOptional: Bool, count: Int, keys: [String] = []) {
        self.type = type
        writer.uint8(type.rawValue | (isOptional ? ValueList.mayBeNull : 0))
        writer.varint(UInt64(count))
        for key in keys { writer.text(key) }
        bitmapStart = isOptional ? writer.count : nil
        if isOptional { writer.zeros((count + 7) / 8) }
    }

    /// Appends the next element; null only if elements may be null.
    package mutating func append(_ element: Span<UInt8>, isNull: Bool = false) {
        if isNull {
            if let bitmapStart {
                let place = bitmapStart + index / 8
                writer.patch(uint8: writer.span[place] | 1 << UInt8(index % 8), at: place)
            }
            if let width = type.fixedWidthBytes { writer.zeros(width) } else { writer.varint(0) }
        } else if type.fixedWidthBytes != nil {
            writer.append(element)
        } else {
            writer.lengthPrefixed(element)
        }
        index += 1
    }

    /// The written bytes.
    package var span: Span<UInt8> {
        @_lifetime(borrow self) get { writer.span }
    }
}
