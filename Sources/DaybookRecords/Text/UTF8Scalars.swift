/// Decodes UTF-8 scalar by scalar; accepts any bytes.
enum UTF8Scalars {
    /// The result for an invalid byte, above all scalars.
    static let illFormed: UInt32 = 0x11_0000

    /// Decodes the scalar at `position` and advances `position`. An invalid byte counts alone, and
    /// so does each byte of an overlong form, of a surrogate or of a number that is too large.
    @inline(__always)
    static func next(in utf8: Span<UInt8>, _ position: inout Int) -> UInt32 {
        let first = utf8[position]
        if first < 0x80 {
            position &+= 1
            return UInt32(first)
        }
        return long(utf8, &position, first)
    }

    private static func long(_ utf8: Span<UInt8>, _ position: inout Int, _ first: UInt8) -> UInt32 {
        let count = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        let start = position
        position &+= 1
        guard first >= 0xC2, first <= 0xF4, count <= utf8.count &- start else { return illFormed }
        var scalar = UInt32(first) & (0x7F &>> UInt32(count))
        for place in 1..<count {
            let byte = utf8[start &+ place]
            guard byte & 0xC0 == 0x80 else { return illFormed }
            scalar = scalar &<< 6 | UInt32(byte & 0x3F)
        }
        let isShortest = count == 2 || scalar >= (count == 3 ? 0x800 : 0x1_0000)
        guard isShortest, scalar <= 0x10_FFFF, scalar & ~0x7FF != 0xD800 else { return illFormed }
        position = start &+ count
        return scalar
    }

    /// Appends a scalar.
    @inline(__always)
    static func append(_ scalar: UInt32, to bytes: inout [UInt8]) {
        if scalar < 0x80 { return bytes.append(UInt8(truncatingIfNeeded: scalar)) }
        if scalar < 0x800 {
            bytes.append(UInt8(truncatingIfNeeded: 0xC0 | scalar &>> 6))
        } else {
            if scalar < 0x1_0000 {
                bytes.append(UInt8(truncatingIfNeeded: 0xE0 | scalar &>> 12))
            } else {
                bytes.append(UInt8(truncatingIfNeeded: 0xF0 | scalar &>> 18))
                bytes.append(UInt8(truncatingIfNeeded: 0x80 | scalar &>> 12 & 0x3F))
            }
            bytes.append(UInt8(truncatingIfNeeded: 0x80 | scalar &>> 6 & 0x3F))
        }
        bytes.append(UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F))
    }
}
