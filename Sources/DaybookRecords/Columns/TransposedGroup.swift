import DaybookBytes

/// The records of one shape while a transposed payload is decoded.
struct TransposedGroup {
    let shape: GroupShape

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
        shape = try GroupShape(from: &columns.heads, rawLength: rawLength)
    }

    var recordCount: Int { shape.recordCount }

    /// Decodes everything that determines the lengths of the records.
    mutating func readLengths(
        from columns: inout ColumnDecoder, rawLength: Int
    ) throws(DaybookError) {
        let constantLength = UInt32(1 + shape.rowLengthMin)
        bodyLengths = [UInt32](repeating: constantLength, count: recordCount)
        for _ in 0..<shape.numberCount {
            var column: [Int64] = []
            try columns.numbers(recordCount, into: &column)
            for index in 0..<recordCount {
                bodyLengths[index] &+= UInt32(Varint.length(UInt64(bitPattern: column[index])))
            }
            numbers.append(column)
        }
        for _ in 0..<shape.textCount {
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
