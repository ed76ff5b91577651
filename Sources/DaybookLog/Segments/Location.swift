/// The location of a record in 64 bits: segment number, frame offset, and offset in the raw
/// payload.
///
/// ```
/// 63        45 44                  17 16          0
/// | segment   | frame offset / 8     | record offset |
///   19 bits     28 bits (2 GiB)        17 bits (128 KiB)
/// ```
@usableFromInline package struct Location: Hashable, Sendable {
    package static let segmentNumberMax: UInt32 = (1 << 19) - 1
    package static let frameOffsetMax = ((1 << 28) - 1) * LogFormat.alignment
    /// A record must start before this offset of its raw payload; it may end far after it.
    @inlinable @inline(__always) package static var recordOffsetMax: Int { (1 << 17) - 1 }

    @usableFromInline package let rawValue: UInt64

    @inlinable @inline(__always)
    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Packs a location, which must be in range.
    package init(segment: UInt32, frameOffset: Int, recordOffset: Int) {
        precondition(segment <= Self.segmentNumberMax && recordOffset <= Self.recordOffsetMax)
        precondition(frameOffset <= Self.frameOffsetMax && frameOffset % LogFormat.alignment == 0)
        rawValue =
            UInt64(segment) << 45 | UInt64(frameOffset / LogFormat.alignment) << 17
            | UInt64(recordOffset)
    }

    package var segment: UInt32 { UInt32(truncatingIfNeeded: rawValue >> 45) }
    package var frameOffset: Int {
        Int((rawValue >> 17) & ((1 << 28) - 1)) * LogFormat.alignment
    }
    @inlinable @inline(__always)
    package var recordOffset: Int { Int(rawValue & UInt64(Self.recordOffsetMax)) }

    /// Equal for all records of one frame.
    @inlinable @inline(__always)
    package var frameKey: UInt64 { rawValue >> 17 }
}

extension Location: CustomStringConvertible {
    @usableFromInline package var description: String {
        "segment \(segment), frame \(frameOffset), byte \(recordOffset)"
    }
}
