/// The location of a record in 64 bits: the slot of the segment (see ``SegmentNumber``), frame
/// offset, and offset in the raw payload.
///
/// ```
/// 63        45 44                  17 16          0
/// | slot      | frame offset / 8     | record offset |
///   19 bits     28 bits (2 GiB)        17 bits (128 KiB)
/// ```
@usableFromInline package struct Location: Hashable, Sendable {
    package static let frameOffsetMax = ((1 << 28) - 1) * LogFormat.alignment
    /// A record must start before this offset of its raw payload; it may end far after it.
    @inlinable @inline(__always) package static var recordOffsetMax: Int { (1 << 17) - 1 }

    @usableFromInline package let rawValue: UInt64

    @inlinable @inline(__always)
    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Packs a location, which must be in range. `segment` is the number of the segment.
    package init(segment: UInt64, frameOffset: Int, recordOffset: Int) {
        precondition(segment < SegmentNumber.limit && recordOffset <= Self.recordOffsetMax)
        precondition(frameOffset <= Self.frameOffsetMax && frameOffset % LogFormat.alignment == 0)
        rawValue =
            UInt64(SegmentNumber.slot(of: segment)) << 45
            | UInt64(frameOffset / LogFormat.alignment) << 17
            | UInt64(recordOffset)
    }

    /// The slot of the segment.
    package var slot: UInt32 { UInt32(truncatingIfNeeded: rawValue >> 45) }
    package var frameOffset: Int {
        Int((rawValue >> 17) & ((1 << 28) - 1)) * LogFormat.alignment
    }
    @inlinable @inline(__always)
    package var recordOffset: Int { Int(rawValue & UInt64(Self.recordOffsetMax)) }

    /// The location of another record of the same frame.
    package func record(at recordOffset: Int) -> Location {
        precondition(recordOffset <= Self.recordOffsetMax)
        return Location(
            rawValue: rawValue & ~UInt64(Self.recordOffsetMax) | UInt64(recordOffset))
    }

    /// Equal for all records of one frame.
    @inlinable @inline(__always)
    package var frameKey: UInt64 { rawValue >> 17 }

    /// The slot of the segment whose frame has that key.
    static func slot(ofFrameKey key: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: key >> 28) }
}

extension Location: CustomStringConvertible {
    @usableFromInline package var description: String {
        "segment slot \(slot), frame \(frameOffset), byte \(recordOffset)"
    }
}
