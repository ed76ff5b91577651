package import DaybookBytes

/// Walks the elements of a list, set or map, which lie in one value:
///
/// type of the elements (u8; its high bit says that they may be null) · count (varint) · for a map
/// the keys, each a length and UTF-8 · where they may be null a bitmap, low bits first · the
/// elements: of a fixed width side by side, others each after its length. A null one is zeros, or
/// of length zero.
///
/// It describes itself, so that a tool that knows no type can print it.
package struct ValueList {
    /// One element.
    package enum Element: Sendable, Equatable {
        case null
        /// Where its bytes stand.
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

    /// Looks at the head; for a map also at the keys, to find where they end. Throws
    /// `.corruption` for bytes that are none of it, `.formatTooNew` for elements of a type that
    /// this release does not know.
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
        // Each element takes a byte at least.
        guard count <= UInt64(reader.remaining) else { throw Self.damaged("its count is wrong") }
        self.count = Int(count)
        keyPosition = reader.offset
        if isMap { for _ in 0..<self.count { try reader.skip(try reader.length()) } }
        bitmapStart = reader.offset
        if isOptional { try reader.skip((self.count + 7) / 8) }
        position = reader.offset
        if self.count == 0, !reader.isAtEnd { throw Self.damaged("bytes follow its elements") }
    }

    /// Where the next key of a map stands. To be asked `count` times at most.
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

/// Writes what ``ValueList`` reads.
package struct ValueListWriter: ~Copyable {
    private var writer = ByteWriter(capacity: 64)
    private let type: FieldType
    private let bitmapStart: Int?
    private var index = 0

    /// Begins a list or set of `count` elements, or, with its keys, a map; these in the order of
    /// their bytes.
    package init(of type: FieldType, isOptional: Bool, count: Int, keys: [String] = []) {
        self.type = type
        writer.uint8(type.rawValue | (isOptional ? ValueList.mayBeNull : 0))
        writer.varint(UInt64(count))
        for key in keys { writer.text(key) }
        bitmapStart = isOptional ? writer.count : nil
        if isOptional { writer.zeros((count + 7) / 8) }
    }

    /// Writes the next element; null only where elements may be.
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

    /// What was written.
    package var span: Span<UInt8> {
        @_lifetime(borrow self) get { writer.span }
    }
}
