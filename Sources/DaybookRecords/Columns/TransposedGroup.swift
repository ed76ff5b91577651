import DaybookBytes

/// The records of one shape while a transposed payload is decoded.
struct TransposedGroup {
    let kind: UInt8
    let recordCount: Int
    let numberCount: Int
    let hasTail: Bool
    let hasRow: Bool

    // The header of the rows.
    private(set) var header: UInt8 = 0
    private(set) var bitmapLength = 0
    private(set) var widths: [UInt8] = []
    private(set) var variableCount = 0

    /// The leading numbers of the records, column by column.
    private(set) var numbers: [[Int64]] = []
    /// The positions of the variable fields, or of the tail, in the stored bytes; field by field.
    private(set) var starts: [[UInt32]] = []
    private(set) var lengths: [[UInt32]] = []
    /// The body length of each record.
    private(set) var bodyLengths: [UInt32] = []
    /// The position of each record in the payload.
    var positions: [UInt32] = []

    /// Decodes the description. Throws `.corruption` if the records cannot fit `rawLength` bytes.
    init(from columns: inout ColumnDecoder, rawLength: Int) throws(DaybookError) {
        kind = try columns.uint8()
        recordCount = try columns.count(atMost: rawLength)
        let shape = try columns.uint8()
        numberCount = Int(shape & TranspositionFormat.shapeNumberMask)
        hasRow = shape & TranspositionFormat.shapeHasRow != 0
        hasTail = shape & TranspositionFormat.shapeHasTail != 0
        guard shape < 2 * TranspositionFormat.shapeHasTail, !(hasRow && hasTail), recordCount > 0,
            numberCount <= TranspositionFormat.numberCountMax
        else { throw ColumnDecoder.damaged("a shape of \(shape)") }
        if hasRow {
            header = try columns.uint8()
            guard header & ~RowFormat.headerIsWide == 0 else {
                throw ColumnDecoder.damaged("a header of \(header)")
            }
            let fieldCountMax = RecordFormat.fieldCountMax
            bitmapLength = try columns.count(atMost: (fieldCountMax + 7) / 8)
            for _ in 0..<(try columns.count(atMost: fieldCountMax)) {
                let width = try columns.uint8()
                guard width == 1 || width == 2 || width == 4 || width == 8 else {
                    throw ColumnDecoder.damaged("a width of \(width)")
                }
                widths.append(width)
            }
            variableCount = try columns.count(atMost: fieldCountMax)
        }
        // The first condition prevents an overflow of the product in the second.
        guard bodyLengthMin < rawLength, recordCount * bodyLengthMin < rawLength else {
            throw ColumnDecoder.damaged("\(recordCount) records of \(bodyLengthMin) bytes")
        }
    }

    /// Whether end offsets of variable fields have four bytes.
    var isWide: Bool { header != 0 }
    /// The length of header, null bitmap and fixed fields of a row.
    var fixedLength: Int { 1 + bitmapLength + widths.reduce(0) { $0 + Int($1) } }
    /// The length of a row without its variable bytes.
    var rowLengthMin: Int { hasRow ? fixedLength + variableCount * (isWide ? 4 : 2) : 0 }
    /// The length of a body without variable bytes, if every number takes one byte.
    var bodyLengthMin: Int { 1 + numberCount + rowLengthMin }

    /// Decodes everything that determines the lengths of the records.
    mutating func readLengths(
        from columns: inout ColumnDecoder, rawLength: Int
    ) throws(DaybookError) {
        let constantLength = UInt32(1 + rowLengthMin)
        bodyLengths = [UInt32](repeating: constantLength, count: recordCount)
        for _ in 0..<numberCount {
            var column: [Int64] = []
            try columns.numbers(recordCount, into: &column)
            for index in 0..<recordCount {
                bodyLengths[index] &+= UInt32(Varint.length(UInt64(bitPattern: column[index])))
            }
            numbers.append(column)
        }
        for _ in 0..<(hasTail ? 1 : variableCount) {
            var start: [UInt32] = []
            var length: [UInt32] = []
            try columns.variable(
                recordCount, lengthMax: rawLength, starts: &start, lengths: &length)
            for index in 0..<recordCount {
                let (sum, isTooLong) = bodyLengths[index].addingReportingOverflow(length[index])
                guard !isTooLong else { throw ColumnDecoder.damaged("a record of \(sum) bytes") }
                bodyLengths[index] = sum
            }
            starts.append(start)
            lengths.append(length)
        }
        positions.reserveCapacity(recordCount)
    }
}
