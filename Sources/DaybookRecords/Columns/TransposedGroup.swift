import DaybookBytes

/// The records of one shape in a transposed payload, on their way back.
struct TransposedGroup {
    let kind: UInt8
    let recordCount: Int
    let numberCount: Int
    let hasTail: Bool
    let hasRow: Bool

    // Of rows.
    private(set) var header: UInt8 = 0
    private(set) var bitmapLength = 0
    private(set) var widths: [UInt8] = []
    private(set) var variableCount = 0

    /// The numbers that the records begin with, column after column.
    private(set) var numbers: [[Int64]] = []
    /// Where the variable fields, or the tail, stand in the stored bytes; field after field.
    private(set) var starts: [[UInt32]] = []
    private(set) var lengths: [[UInt32]] = []
    /// How long the body of each record is.
    private(set) var bodyLengths: [UInt32] = []
    /// Where each record begins in the payload.
    var positions: [UInt32] = []

    /// Reads the description. Throws `.corruption` when the records cannot fit `rawLength` bytes.
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
        // The first of the two keeps the product of the second from overflowing.
        guard bodyLengthMin < rawLength, recordCount * bodyLengthMin < rawLength else {
            throw ColumnDecoder.damaged("\(recordCount) records of \(bodyLengthMin) bytes")
        }
    }

    /// Whether variable fields have end offsets of four bytes.
    var isWide: Bool { header != 0 }
    /// The header, null bitmap and fixed fields of a row.
    var fixedLength: Int { 1 + bitmapLength + widths.reduce(0) { $0 + Int($1) } }
    /// A row without its variable bytes.
    var rowLengthMin: Int { hasRow ? fixedLength + variableCount * (isWide ? 4 : 2) : 0 }
    /// A body without variable bytes, if every number takes one byte.
    var bodyLengthMin: Int { 1 + numberCount + rowLengthMin }

    /// Reads what decides how long the records are.
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
