import DaybookBytes

/// Writes the columns of a packed payload.
struct PackedColumnWriter {
    var heads = ByteWriter(capacity: 512)
    private(set) var bits = ByteWriter(capacity: 8_192)

    /// Writes a fixed-width field of all rows of a group.
    mutating func write(_ column: RecordGroup.FixedColumn) {
        let (values, digits) = column.stored
        write(values, decimal: UInt8((digits ?? -1) + 1) << PackedFormat.decimalShift)
    }

    /// Writes a non-empty column of integers; unsigned 64-bit numbers are given by their bit
    /// pattern.
    mutating func write(_ values: [Int64], decimal: UInt8 = 0) {
        if let step = Self.step(of: values) {
            heads.uint8((step == 0 ? PackedFormat.constant : PackedFormat.linear) | decimal)
            heads.zigzag(values[0])
            if step != 0 { heads.zigzag(Int64(step)) }
            return
        }
        var least = values[0]
        var most = least
        for value in values {
            least = min(least, value)
            most = max(most, value)
        }
        let width = BitPacking.width(largest: UInt64(bitPattern: most &- least))
        heads.uint8(PackedFormat.bits | decimal)
        heads.zigzag(least)
        heads.uint8(UInt8(width))
        BitPacking.pack(values, base: least, width: width, to: &bits)
    }

    /// The difference between neighbouring values, if it is always the same.
    private static func step(of values: [Int64]) -> Int32? {
        guard values.count > 1 else { return 0 }
        guard let step = Int32(exactly: values[1] &- values[0]) else { return nil }
        for index in 1..<values.count
        where values[index] &- values[index - 1] != Int64(step) {
            return nil
        }
        return step
    }
}
