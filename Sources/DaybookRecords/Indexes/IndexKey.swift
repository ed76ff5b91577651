package import DaybookBytes

/// The values of an index's properties in one row, as bytes in whose order the values stand.
///
/// Of each property a byte, 0 for null and 1 for a value, then the value; see ``IndexKeyWriter``.
/// No key is the beginning of another one of the same index. In an index of words it is all words
/// of the text instead, of which each has an entry of its own.
package struct IndexKey: Sendable, Hashable {
    package let bytes: [UInt8]
    /// Whether a property has no value: then the key is unlike every other.
    package let hasNull: Bool

    /// The longest key that is kept whole; pages take a little more.
    package static let lengthMax = (16 << 20) - 64

    init(_ bytes: [UInt8], hasNull: Bool) {
        self.bytes = bytes
        self.hasNull = hasNull
    }

    /// The key of a row that has the layout; `columns` are the places of the fields in it.
    ///
    /// Throws `.corruption` for bytes that are no row of the layout.
    package init(
        _ columns: [Int], of row: Span<UInt8>, _ layout: borrowing RowLayout,
        foldsCase: Bool = false
    ) throws(DaybookError) {
        var writer = IndexKeyWriter(foldsCase: foldsCase)
        let view = try RowView(row, layout)
        for column in columns { try writer.append(view, column) }
        self = writer.key
    }

    /// The key in an index of a form, which decides what becomes of texts; else the same.
    package init(
        _ form: IndexPlan.Index.Form, _ columns: [Int], of row: Span<UInt8>,
        _ layout: borrowing RowLayout
    ) throws(DaybookError) {
        switch form {
        case .unique, .ordered, .hashed: try self.init(columns, of: row, layout)
        case .folded: try self.init(columns, of: row, layout, foldsCase: true)
        case .text:
            let view = try RowView(row, layout)
            guard let column = columns.first, !view.isNull(column) else {
                self.init([], hasNull: true)
                return
            }
            self.init(DistinctWords.bytes(of: try view.bytes(column)), hasNull: false)
        }
    }

    /// Writes the key of an entry in the tree of a unique or ordered index: of the object `id`,
    /// where more than one may have the values.
    package func write(toUnique isUnique: Bool, id: UInt64, to writer: inout ByteWriter) {
        if isUnique, !hasNull { return writer.append(bytes.span) }
        // Longer ones are told apart by their ids alone.
        writer.append(bytes.span.extracting(0..<min(bytes.count, Self.lengthMax)))
        writer.uint64(id.byteSwapped)
    }

    /// What stands for the key in an index of hashes.
    package var hash: UInt64 { XXH64.hash(bytes.span) }
}

/// Writes the keys of indexes, value after value.
///
/// Numbers in big-endian order with the sign turned round; floating-point numbers in their total
/// order, where all that are none count as one and both zeros are equal; texts and bytes with 00 as
/// 00 FF, ended by 00 00; decimals as sign, exponent and digits. Texts stand in the order of their
/// UTF-8.
struct IndexKeyWriter {
    static let null: UInt8 = 0
    static let value: UInt8 = 1

    private var writer = ByteWriter(capacity: 64)
    private var hasNull = false
    /// Whether texts are written without difference of case.
    private let foldsCase: Bool

    init(foldsCase: Bool = false) { self.foldsCase = foldsCase }

    /// What was written.
    var key: IndexKey { IndexKey(writer.bytes, hasNull: hasNull) }

    /// Writes a field of a row.
    mutating func append(_ row: borrowing RowView, _ field: Int) throws(DaybookError) {
        let isNull = row.isNull(field)
        guard !isNull || !row.slots[field].isOptional else {
            writer.uint8(Self.null)
            hasNull = true
            return
        }
        // A required field that is missing, in a row that is older than it, is read as its type's
        // zero: that is what its bytes are.
        append(value: try row.value(field), row.slots[field].type)
    }

    /// Writes a value that is given as rows hold it. Bytes that are too few are read as zero.
    mutating func append(value: Span<UInt8>, _ type: FieldType) {
        writer.uint8(Self.value)
        switch type {
        case .bool: writer.uint8(load(UInt8.self, value) != 0 ? 1 : 0)
        case .int8: writer.uint8(load(UInt8.self, value) ^ 0x80)
        case .int16: append(load(UInt16.self, value) ^ 0x8000)
        case .int32: append(load(UInt32.self, value) ^ 0x8000_0000)
        case .uint8: writer.uint8(load(UInt8.self, value))
        case .uint16: append(load(UInt16.self, value))
        case .uint32: append(load(UInt32.self, value))
        case .uint64: append(load(UInt64.self, value))
        case .int64, .date, .dateNano: append(load(UInt64.self, value) ^ 1 << 63)
        case .float: append(Float(bitPattern: load(UInt32.self, value)))
        case .double: append(Double(bitPattern: load(UInt64.self, value)))
        case .string where foldsCase: append(folding: value)
        case .string, .bytes, .json: append(escaping: value)
        case .uuid: append(uuid: value)
        case .decimal: append(decimal: value)
        // No index has such a property; see ``FieldType/isIndexable``.
        case .list, .set, .map, .embedded: append(escaping: value)
        case .toOne, .toMany, .objects: break
        }
    }

    /// Writes the beginning of a text, or of bytes.
    mutating func append(prefix: Span<UInt8>) {
        writer.uint8(Self.value)
        append(escaping: prefix)
        // Without what ends a value.
        writer.truncate(to: writer.count - 2)
    }

    private func load<Value: FixedWidthInteger & BitwiseCopyable>(
        _ type: Value.Type, _ value: Span<UInt8>
    ) -> Value {
        value.loadLittleEndian(type, at: 0) ?? 0
    }

    private mutating func append(_ value: UInt16) { writer.uint16(value.byteSwapped) }
    private mutating func append(_ value: UInt32) { writer.uint32(value.byteSwapped) }
    private mutating func append(_ value: UInt64) { writer.uint64(value.byteSwapped) }

    private mutating func append(_ value: Float) {
        let bits = value.isNaN ? Float.nan.bitPattern : value == 0 ? 0 : value.bitPattern
        append(bits >> 31 == 0 ? bits | 1 << 31 : ~bits)
    }

    private mutating func append(_ value: Double) {
        let bits = value.isNaN ? Double.nan.bitPattern : value == 0 ? 0 : value.bitPattern
        append(bits >> 63 == 0 ? bits | 1 << 63 : ~bits)
    }

    private mutating func append(folding text: Span<UInt8>) {
        var folded: [UInt8] = []
        TextFolding.fold(text, ignoresCase: true, ignoresDiacritics: false, into: &folded)
        append(escaping: folded.span)
    }

    private mutating func append(escaping bytes: Span<UInt8>) {
        var start = 0
        for index in 0..<bytes.count where bytes[index] == 0 {
            writer.append(bytes.extracting(start...index))
            writer.uint8(0xFF)
            start = index + 1
        }
        writer.append(bytes.extracting(start..<bytes.count))
        writer.uint16(0)
    }

    /// Always 16 bytes, whatever stands there, so that what follows keeps its place.
    private mutating func append(uuid bytes: Span<UInt8>) {
        let length = min(bytes.count, 16)
        writer.append(bytes.extracting(0..<length))
        writer.zeros(16 - length)
    }

    private mutating func append(decimal text: Span<UInt8>) {
        // One that was never set has no text, and is read as zero.
        guard text.count > 0 else { return writer.uint8(DecimalText.zero) }
        guard let number = DecimalText(text) else {
            // Texts that are no numbers stand behind all numbers.
            writer.uint8(DecimalText.notANumber)
            return append(escaping: text)
        }
        guard !number.digits.isEmpty else { return writer.uint8(DecimalText.zero) }
        writer.uint8(number.isNegative ? DecimalText.negative : DecimalText.positive)
        let mask: UInt8 = number.isNegative ? 0xFF : 0
        let exponent = UInt64(bitPattern: number.exponent) ^ 1 << 63
        append(number.isNegative ? ~exponent : exponent)
        for digit in number.digits { writer.uint8((digit + 1) ^ mask) }
        writer.uint8(mask)
    }
}

/// The text of a decimal number, taken apart.
package struct DecimalText: Sendable, Equatable {
    static let negative: UInt8 = 1
    static let zero: UInt8 = 2
    static let positive: UInt8 = 3
    static let notANumber: UInt8 = 4

    package private(set) var isNegative = false
    /// The digits, 0 to 9 each, from the first to the last that is not zero.
    package private(set) var digits: [UInt8] = []
    /// The number is 0.digits times ten to this power.
    package private(set) var exponent: Int64 = 0

    /// Nil where the text is no number.
    package init?(_ text: Span<UInt8>) {
        var index = 0
        if index < text.count, text[index] == 0x2D || text[index] == 0x2B {
            isNegative = text[index] == 0x2D
            index += 1
        }
        var hasDigit = false
        var hasPoint = false
        while index < text.count {
            let byte = text[index]
            if byte == 0x2E, !hasPoint {
                hasPoint = true
            } else if byte >= 0x30, byte <= 0x39 {
                hasDigit = true
                let digit = byte - 0x30
                if !digits.isEmpty || digit > 0 {
                    digits.append(digit)
                    if !hasPoint { exponent += 1 }
                } else if hasPoint {
                    exponent -= 1
                }
            } else {
                break
            }
            index += 1
        }
        guard hasDigit, let power = Self.power(text.extracting(index..<text.count)) else {
            return nil
        }
        exponent += power
        while digits.last == 0 { digits.removeLast() }
    }

    /// What stands behind the digits: nothing, or `e` and a whole number of up to nine digits.
    private static func power(_ text: Span<UInt8>) -> Int64? {
        guard text.count > 0 else { return 0 }
        guard text[0] | 0x20 == 0x65, text.count > 1 else { return nil }
        var index = 1
        let isNegative = text[1] == 0x2D
        if isNegative || text[1] == 0x2B { index += 1 }
        guard index < text.count, text.count - index <= 9 else { return nil }
        var power: Int64 = 0
        while index < text.count {
            guard text[index] >= 0x30, text[index] <= 0x39 else { return nil }
            power = power * 10 + Int64(text[index] - 0x30)
            index += 1
        }
        return isNegative ? -power : power
    }
}

extension FieldType {
    /// Whether values have an order that an index can keep.
    package var isIndexable: Bool { !isCollection && !isRelation && self != .embedded }
}
