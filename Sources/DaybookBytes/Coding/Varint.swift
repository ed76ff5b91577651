/// Numbers of variable length: LEB128, and zigzag for signed ones.
@usableFromInline package enum Varint {
    /// The maximum length of an encoded 64-bit number, in bytes.
    package static let lengthMax = 10

    /// The encoded length of `value` in bytes.
    @inlinable package static func length(_ value: UInt64) -> Int {
        max(1, (UInt64.bitWidth - value.leadingZeroBitCount + 6) / 7)
    }

    /// Maps 0, -1, 1, -2, 2 … to 0, 1, 2, 3, 4 ….
    @inlinable package static func zigzag(_ value: Int64) -> UInt64 {
        UInt64(bitPattern: (value << 1) ^ (value >> 63))
    }

    /// The inverse of ``zigzag(_:)``.
    @inlinable package static func unzigzag(_ value: UInt64) -> Int64 {
        Int64(bitPattern: (value >> 1) ^ (0 &- (value & 1)))
    }
}
