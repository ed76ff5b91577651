import DaybookBytes

/// The description of records with the same shape in a rearranged or packed payload: it is all that
/// a reader needs, so that decoding works without a schema.
struct GroupShape {
    let kind: UInt8
    let recordCount: Int
    /// The number of leading numbers in a record.
    let numberCount: Int
    /// Whether uninterpreted bytes follow the numbers.
    let hasTail: Bool
    /// Whether a row follows the numbers.
    let hasRow: Bool

    // The header of the rows.
    private(set) var header: UInt8 = 0
    private(set) var bitmapLength = 0
    private(set) var widths: [UInt8] = []
    private(set) var variableCount = 0
    /// The length of header, null bitmap and fixed fields of a row.
    private(set) var fixedLength = 1

    /// The shape of a group of records.
    init(_ group: RecordGroup, _ layouts: [RowLayout]) {
        kind = group.kind
        recordCount = group.recordCount
        numberCount = group.numberCount
        hasTail = group.rest == .tail
        guard case .row(let index, let header) = group.rest else {
            hasRow = false
            return
        }
        let layout = layouts[index]
        hasRow = true
        self.header = header
        bitmapLength = layout.bitmapLength
        widths = layout.slots.compactMap { $0.columnWidthBytes.map { UInt8($0) } }
        variableCount = layout.variableCount
        fixedLength = 1 + bitmapLength + widths.reduce(0) { $0 + Int($1) }
    }

    func write(to heads: inout ByteWriter) {
        heads.uint8(kind)
        heads.varint(UInt64(recordCount))
        var shape = UInt8(numberCount)
        if hasTail { shape |= TranspositionFormat.shapeHasTail }
        if hasRow { shape |= TranspositionFormat.shapeHasRow }
        heads.uint8(shape)
        guard hasRow else { return }
        heads.uint8(header)
        heads.varint(UInt64(bitmapLength))
        heads.varint(UInt64(widths.count))
        for width in widths { heads.uint8(width) }
        heads.varint(UInt64(variableCount))
    }

    /// Decodes a description. Throws `.corruption` if the records cannot fit `rawLength` bytes.
    init(from heads: inout ByteReader, rawLength: Int) throws(DaybookError) {
        kind = try heads.uint8()
        recordCount = try heads.count(atMost: rawLength)
        let shape = try heads.uint8()
        numberCount = Int(shape & TranspositionFormat.shapeNumberMask)
        hasRow = shape & TranspositionFormat.shapeHasRow != 0
        hasTail = shape & TranspositionFormat.shapeHasTail != 0
        guard shape < 2 * TranspositionFormat.shapeHasTail, !(hasRow && hasTail), recordCount > 0,
            numberCount <= TranspositionFormat.numberCountMax
        else { throw ColumnDecoder.damaged("a shape of \(shape)") }
        if hasRow {
            header = try heads.uint8()
            guard header & ~RowFormat.headerIsWide == 0 else {
                throw ColumnDecoder.damaged("a header of \(header)")
            }
            let fieldCountMax = RecordFormat.fieldCountMax
            bitmapLength = try heads.count(atMost: (fieldCountMax + 7) / 8)
            let widthCount = try heads.count(atMost: min(fieldCountMax, heads.remaining))
            widths.reserveCapacity(widthCount)
            fixedLength = 1 + bitmapLength
            for _ in 0..<widthCount {
                let width = try heads.uint8()
                guard width == 1 || width == 2 || width == 4 || width == 8 else {
                    throw ColumnDecoder.damaged("a width of \(width)")
                }
                widths.append(width)
                fixedLength += Int(width)
            }
            variableCount = try heads.count(atMost: fieldCountMax)
        }
        // The first condition prevents an overflow of the product in the second.
        guard bodyLengthMin < rawLength, recordCount * bodyLengthMin < rawLength else {
            throw ColumnDecoder.damaged("\(recordCount) records of \(bodyLengthMin) bytes")
        }
    }

    /// Whether end offsets of variable fields have four bytes.
    var isWide: Bool { header != 0 }
    /// The length of a row without its variable bytes.
    var rowLengthMin: Int { hasRow ? fixedLength + variableCount * (isWide ? 4 : 2) : 0 }
    /// The length of a body without variable bytes, if every number takes one byte.
    var bodyLengthMin: Int { 1 + numberCount + rowLengthMin }
    /// The number of columns of numbers: the leading numbers of a record, then the bytes of the
    /// null bitmap and the fixed fields of a row.
    var columnCount: Int { numberCount + bitmapLength + widths.count }
    /// The number of byte strings in a record: its variable fields or its tail.
    var textCount: Int { hasTail ? 1 : variableCount }

    /// The width of the numbers in a column, whose index is below ``columnCount``.
    @inline(__always)
    func widthBytes(ofColumn index: Int) -> Int {
        if index < numberCount { return 8 }
        let field = index - numberCount - bitmapLength
        return field < 0 ? 1 : Int(widths[field])
    }
}

extension ByteReader {
    /// Reads a count, which must be at most `countMax`.
    mutating func count(atMost countMax: Int) throws(DaybookError) -> Int {
        let count = try varint()
        guard count <= UInt64(countMax) else {
            throw ColumnDecoder.damaged("a count of \(count)")
        }
        return Int(count)
    }
}

extension RowLayout {
    /// The length of the null bitmap.
    var bitmapLength: Int { (fieldCount + 7) / 8 }
}

extension RowLayout.Slot {
    /// The width of the field's column; nil for variable-width fields and for fields without bytes
    /// in the row.
    var columnWidthBytes: Int? { type.fixedWidthBytes.flatMap { $0 > 0 ? $0 : nil } }
}
