import DaybookBytes

extension MutableSpan<UInt8> {
    /// Stores a little-endian number at `offset`. The precondition lets the compiler merge the byte
    /// stores into one.
    @inline(__always)
    mutating func store<Value: FixedWidthInteger & UnsignedInteger>(
        littleEndian value: Value, at offset: Int
    ) {
        let size = MemoryLayout<Value>.size
        precondition(offset >= 0 && offset <= count &- size, "a number beyond the end")
        for byte in 0..<size {
            self[offset &+ byte] = UInt8(truncatingIfNeeded: value &>> Value(8 &* byte))
        }
    }

    /// Stores a varint at `position` and moves it to the end.
    @inline(__always)
    mutating func store(varint value: UInt64, at position: inout Int) {
        var rest = value
        while rest >= 0x80 {
            self[position] = UInt8(truncatingIfNeeded: rest) | 0x80
            position &+= 1
            rest >>= 7
        }
        self[position] = UInt8(truncatingIfNeeded: rest)
        position &+= 1
    }

    /// Copies bytes, eight at a time: strings in rows are short, and this is cheaper than a call.
    @inline(__always)
    mutating func copy(_ source: Span<UInt8>, from start: Int, _ length: Int, at position: Int) {
        guard length >= 8 else {
            for index in 0..<length {
                self[position &+ index] = source[start &+ index]
            }
            return
        }
        var offset = 0
        while offset < length {
            // The last word overlaps the previous one.
            let place = Swift.min(offset, length &- 8)
            let word = source.loadLittleEndian(UInt64.self, at: start &+ place) ?? 0
            store(littleEndian: word, at: position &+ place)
            offset &+= 8
        }
    }
}
