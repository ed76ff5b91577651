extension MutableSpan<UInt8> {
    /// Writes a number at `offset`, low byte first. The one check up front makes the checks of the
    /// single bytes superfluous, so that they become one store.
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
