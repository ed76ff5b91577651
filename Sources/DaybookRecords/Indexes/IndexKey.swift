package import DaybookBytes

/// The values of an index's properties in one row, as bytes that sort like the values.
///
/// Each property is a byte, 0 for null or 1 for a value, followed by the value; see
/// ``IndexKeyWriter``. No key is a prefix of another key of the same index. In a text index, the
/// key contains all words of the text, and each word has its own entry.
package struct IndexKey: Sendable, Hashable {
    package let bytes: [UInt8]
    /// Whether a property is null. Such a key equals no other key.
    package let hasNull: Bool
    /// The number of words in the text of a text index, with duplicates; 0 in other indexes.
    package let wordCount: UInt64

    /// The maximum length of a stored key; pages accept slightly more.
    package static let lengthMax = (16 << 20) - 64

    init(_ bytes: [UInt8], hasNull: Bool, wordCount: UInt64 = 0) {
        self.bytes = bytes
        self.hasNull = hasNull
        self.wordCount = wordCount
    }

    /// The key of a row with that layout; `columns` are the indexes of its fields.
    ///
    /// Throws `.corruption` if the bytes do not match the layout.
    package init(
        _ columns: [Int], of row: Span<UInt8>, _ layout: borrowing RowLayout,
        foldsCase: Bool = false
    ) throws(DaybookError) {
        var writer = IndexKeyWriter(foldsCase: foldsCase)
        let view = try RowView(row, layout)
        for column in columns { try writer.append(view, column) }
        self = writer.key
    }

    /// The key for an index of that form, which determines how texts are folded.
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
            let (bytes, wordCount) = DistinctWords.bytes(of: try view.bytes(column))
            self.init(bytes, hasNull: false, wordCount: wordCount)
        case .vector(let form): try self.init(form, columns.first, of: row, layout)
        }
    }

    /// Writes the key of an entry in the tree of a unique or ordered index. The key includes `id`
    /// if several objects may have the values.
    package func write(toUnique isUnique: Bool, id: UInt64, to writer: inout ByteWriter) {
        if isUnique, !hasNull { return writer.append(bytes.span) }
        // Longer keys are distinguished by their ids only.
        writer.append(bytes.span.extracting(0..<min(bytes.count, Self.lengthMax)))
        writer.uint64(id.byteSwapped)
    }

    /// The key's hash in a hash index.
    package var hash: UInt64 { XXH64.hash(bytes.span) }
}

/// Writes index keys, value by value.
///
/// Numbers are big-endian with the sign bit inverted. Floating-point numbers have their total
/// order, with all NaNs equal and both zeros equal. In texts and bytes, 00 is written as 00 FF, and
/// 00 00 ends the value. Decimals are sign, exponent and digits. Texts sort by their UTF-8, and
/// JSON by its values: see ``JSONKey``.
struct IndexKeyWriter {
    static let null: UInt8 = 0
    static let value: UInt8 = 1

    private var writer = ByteWriter(capacity: 64)
    private var hasNull = false
    /// Whether texts are case-folded.
    private let foldsCase: Bool

    init(foldsCase: Bool = false) { self.foldsCase = foldsCase }

    /// The written key.
    var key: IndexKey { IndexKey(writer.bytes, hasNull: hasNull) }

    /// Appends a field of a row.
    mutating func append(_ row: borrowing RowView, _ field: Int) throws(DaybookError) {
        let isNull = row.isNull(field)
        guard !isNull || !row.slots[field].isOptional else {
            writer.uint8(Self.null)
            hasNull = true
            return
        }
        // A required field that is missing in an older row reads as its type's zero, which its
        // bytes are.
        append(value: try row.value(field), row.slots[field].type)
    }

    /// Appends a value in the encoding of rows. Missing bytes read as zero.
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
        case .string, .bytes: writer.append(escaping: value)
        case .json: JSONKey.append(value, to: &writer)
        case .uuid: append(uuid: value)
        case .decimal: append(decimal: value)
        // Such properties cannot be indexed; see ``FieldType/isIndexable``.
        case .list, .set, .map, .embedded: writer.append(escaping: value)
        case .toOne, .toMany, .objects, .keyedObjects: break
        }
    }

    /// Appends a prefix of a text or bytes value.
    mutating func append(prefix: Span<UInt8>) {
        writer.uint8(Self.value)
        writer.append(escaping: prefix)
        // Without the terminator of the value.
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
        writer.append(escaping: folded.span)
    }

    /// Always 16 bytes, so that the following values keep their offset.
    private mutating func append(uuid bytes: Span<UInt8>) {
        let length = min(bytes.count, 16)
        writer.append(bytes.extracting(0..<length))
        writer.zeros(16 - length)
    }

    private mutating func append(decimal text: Span<UInt8>) {
        // A value that was never set has an empty text and reads as zero.
        guard text.count > 0 else { return writer.append(.zero) }
        guard let number = DecimalText(text) else {
            // Texts that are not numbers sort after all numbers.
            writer.append(.notANumber)
            return writer.append(escaping: text)
        }
        writer.append(number)
    }
}

extension FieldType {
    /// Whether values have an order for an index.
    package var isIndexable: Bool { !isCollection && !isRelation && self != .embedded }
}
