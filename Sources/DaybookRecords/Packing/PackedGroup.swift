import DaybookBytes

/// The records of one shape in a packed payload.
struct PackedGroup {
    let shape: GroupShape
    /// The columns of the leading numbers, then of the null bitmaps and fixed fields.
    private(set) var columns: [PackedColumn] = []
    private(set) var texts: [Texts] = []

    /// A variable field or tail.
    struct Texts {
        let isCoded: Bool
        /// The column of the stored lengths; nil for the last field, whose text ends with those of
        /// its record.
        let lengths: PackedColumn?
    }

    /// Reads the descriptions of a group. Its bits start at `bitsOffset`, which is moved to their
    /// end. Throws `.corruption` for invalid bytes.
    init(
        from heads: inout ByteReader, rawLength: Int, _ bitsOffset: inout Int, bitsEnd: Int
    ) throws(DaybookError) {
        shape = try GroupShape(from: &heads, rawLength: rawLength)
        let count = shape.recordCount
        columns.reserveCapacity(shape.numberCount + shape.bitmapLength + shape.widths.count)
        for index in 0..<(shape.numberCount + shape.bitmapLength) {
            columns.append(
                try PackedColumn(
                    from: &heads, count: count, widthBytes: index < shape.numberCount ? 8 : 1,
                    &bitsOffset, bitsEnd: bitsEnd))
        }
        for width in shape.widths {
            columns.append(
                try PackedColumn(
                    from: &heads, count: count, widthBytes: Int(width), &bitsOffset,
                    bitsEnd: bitsEnd))
        }
        texts.reserveCapacity(shape.textCount)
        for index in 0..<shape.textCount {
            let storage = try heads.uint8()
            guard storage <= PackedFormat.tokenTexts else {
                throw ColumnDecoder.damaged("a text storage of \(storage)")
            }
            let isLast = index == shape.textCount - 1
            let lengths =
                isLast
                ? nil
                : try PackedColumn(from: &heads, count: count, &bitsOffset, bitsEnd: bitsEnd)
            texts.append(Texts(isCoded: storage == PackedFormat.tokenTexts, lengths: lengths))
        }
    }
}
