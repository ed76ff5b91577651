import DaybookBytes

/// A column of numbers in which the value of any record is read alone.
struct PackedColumn {
    let base: Int64
    /// The offset of the column's bits in the payload; the step of a column without bits.
    private let argument: Int32
    /// The width of a number; 0 for a column without bits.
    let width: UInt8
    /// The number of decimal digits of floating-point numbers; -1 for integers.
    let digits: Int8
    let isDouble: Bool

    /// The value of the record with this index, which must be below the column's count.
    @inline(__always)
    func value(at index: Int, in stored: Span<UInt8>) -> Int64 {
        let whole = whole(at: index, in: stored)
        guard digits >= 0 else { return whole }
        return DecimalNumbers.bits(whole, digits: Int(digits), isDouble: isDouble)
    }

    /// The stored integer: of a floating-point number, its multiple of a power of ten.
    @inline(__always)
    func whole(at index: Int, in stored: Span<UInt8>) -> Int64 {
        width == 0
            ? base &+ Int64(argument) &* Int64(index)
            : base &+ Int64(bitPattern: difference(at: index, in: stored))
    }

    /// The offset of the column's bits in the payload, if it has any.
    var bitsOffset: Int { Int(argument) }

    @inline(__always)
    private func difference(at index: Int, in stored: Span<UInt8>) -> UInt64 {
        let bit = index &* Int(width)
        let place = Int(argument) &+ (bit &>> 3)
        let word = stored.loadLittleEndian(UInt64.self, at: place) ?? Self.end(of: stored, place)
        let mask = width == 64 ? UInt64.max : (1 &<< UInt64(width)) &- 1
        return (word &>> UInt64(bit & 7)) & mask
    }

    /// The bytes from `place` on, which are fewer than eight.
    @inline(never)
    private static func end(of stored: Span<UInt8>, _ place: Int) -> UInt64 {
        var word: UInt64 = 0
        for index in place..<max(place, stored.count) {
            word |= UInt64(stored[index]) << UInt64(8 * (index - place))
        }
        return word
    }
}

extension PackedColumn {
    /// Reads the description of a column of `count` numbers. Its bits start at `bitsOffset`, which
    /// is moved to their end.
    ///
    /// Throws `.corruption` for an invalid description, or if the bits end after `bitsEnd`.
    init(
        from heads: inout ByteReader, count: Int, widthBytes: Int = 8, _ bitsOffset: inout Int,
        bitsEnd: Int
    ) throws(DaybookError) {
        let mode = try heads.uint8()
        base = try heads.zigzag()
        switch mode & PackedFormat.kindMask {
        case PackedFormat.constant:
            argument = 0
            width = 0
        case PackedFormat.linear:
            guard let step = Int32(exactly: try heads.zigzag()) else {
                throw ColumnDecoder.damaged("a step")
            }
            argument = step
            width = 0
        case PackedFormat.bits:
            width = try heads.uint8()
            guard width > 0, width <= TranspositionFormat.bitsMax || width == 64 else {
                throw ColumnDecoder.damaged("numbers of \(width) bits")
            }
            let length = BitPacking.length(count: count, width: Int(width))
            guard length <= bitsEnd - bitsOffset else {
                throw ColumnDecoder.damaged("\(count) numbers of \(width) bits")
            }
            argument = Int32(truncatingIfNeeded: bitsOffset)
            bitsOffset += length
        default: throw ColumnDecoder.damaged("a column of kind \(mode)")
        }
        digits = Int8(mode >> PackedFormat.decimalShift) - 1
        isDouble = widthBytes == 8
        guard digits < 0 || (widthBytes >= 4 && digits <= DecimalNumbers.digitsMax) else {
            throw ColumnDecoder.damaged("\(digits) decimal digits")
        }
    }
}
