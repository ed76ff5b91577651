import DaybookBytes

/// Packs numbers with the bit width of the largest one, low bits first.
enum BitPacking {
    /// The bit width for numbers up to `largest`: 0 … 56, or 64.
    static func width(largest: UInt64) -> Int {
        let bits = UInt64.bitWidth - largest.leadingZeroBitCount
        return bits > TranspositionFormat.bitsMax ? 64 : bits
    }

    /// The number of bytes for `count` numbers of `width` bits.
    static func length(count: Int, width: Int) -> Int { (count * width + 7) / 8 }

    /// Writes `value - base` for each value.
    static func pack(_ values: [Int64], base: Int64, width: Int, to writer: inout ByteWriter) {
        guard width > 0 else { return }
        guard width < 64 else {
            for value in values { writer.uint64(UInt64(bitPattern: value &- base)) }
            return
        }
        var pending: UInt64 = 0
        var pendingBits = 0
        for value in values {
            let number = UInt64(bitPattern: value &- base)
            pending |= number &<< UInt64(pendingBits)
            pendingBits += width
            guard pendingBits >= 64 else { continue }
            writer.uint64(pending)
            pendingBits -= 64
            // The remaining bits. A shift by the whole width would keep the number unchanged.
            pending = pendingBits == 0 ? 0 : number &>> UInt64(width - pendingBits)
        }
        while pendingBits > 0 {
            writer.uint8(UInt8(truncatingIfNeeded: pending))
            pending >>= 8
            pendingBits -= 8
        }
    }

    /// Unpacks into `values`, one element per number. `bytes` has exactly ``length(count:width:)``
    /// bytes.
    static func unpack(
        _ bytes: Span<UInt8>, base: Int64, width: Int, into values: inout [Int64]
    ) {
        var target = values.mutableSpan
        let count = target.count
        guard width > 0 else {
            for index in 0..<count { target[index] = base }
            return
        }
        let mask = width == 64 ? UInt64.max : (1 &<< UInt64(width)) &- 1
        // A whole word can be loaded for all numbers except those in the last eight bytes.
        let wholeCount = bytes.count < 8 ? 0 : min(count, (bytes.count - 8) * 8 / width + 1)
        var bit = 0
        for index in 0..<wholeCount {
            let word = bytes.loadLittleEndian(UInt64.self, at: bit &>> 3) ?? 0
            target[index] = base &+ Int64(bitPattern: (word &>> UInt64(bit & 7)) & mask)
            bit &+= width
        }
        for index in wholeCount..<count {
            var word: UInt64 = 0
            for byte in 0..<min(8, bytes.count - bit / 8) {
                word |= UInt64(bytes[bit / 8 + byte]) << UInt64(8 * byte)
            }
            target[index] = base &+ Int64(bitPattern: (word &>> UInt64(bit & 7)) & mask)
            bit &+= width
        }
    }
}
