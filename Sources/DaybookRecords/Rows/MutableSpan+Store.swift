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
}
