public import DaybookBytes  // what is inlined elsewhere names its types

/// Finds the rows of an entity's objects in payloads, at the offsets of index entries.
///
/// A scan calls this once per object. A common record, with short numbers, is decoded by three
/// loads and a few comparisons; other records are decoded by ``Record/at(_:in:)``.
@usableFromInline package struct RowFinder: Sendable {
    /// The position of a row in its payload.
    @usableFromInline
    package struct Place {
        @usableFromInline package let start: Int
        @usableFromInline package let end: Int
        /// The layout of the row.
        @usableFromInline package let layout: UInt32

        @inlinable @inline(__always)
        init(start: Int, end: Int, layout: UInt32) {
            self.start = start
            self.end = end
            self.layout = layout
        }
    }

    /// Higher ids take more bytes than the fast path compares.
    @inlinable @inline(__always) static var idMax: UInt64 { 1 << 35 }
    /// The continuation bits of eight varint bytes.
    @inlinable @inline(__always) static var continuations: UInt64 { 0x8080_8080_8080_8080 }

    @usableFromInline package let entity: UInt32
    /// The encoded kind and entity of the entity's put records.
    @usableFromInline let head: UInt64
    /// The bit width of `head`.
    @usableFromInline let headWidth: UInt64

    package init(_ entity: UInt32) {
        self.entity = entity
        let (number, width) = Self.varint(UInt64(entity))
        head = UInt64(Record.Kind.put.rawValue) | number &<< 8
        headWidth = 8 + width
    }

    /// The row of an object's put record at `offset`; nil for any other record. Throws like
    /// ``Record/at(_:in:)``. Cost: about 3 ns.
    @inlinable @inline(__always)
    package func find(
        _ id: UInt64, at offset: Int, in payload: Span<UInt8>
    ) throws(DaybookError) -> Place? {
        if let place = common(id, at: offset, in: payload) { return place }
        return try uncommon(id, at: offset, in: payload)
    }

    @usableFromInline @inline(never)
    func uncommon(
        _ id: UInt64, at offset: Int, in payload: Span<UInt8>
    ) throws(DaybookError) -> Place? {
        let record = try Record.at(offset, in: payload)
        guard record.kind == .put, record.entity == entity, record.id == id else { return nil }
        return Place(
            start: record.row.lowerBound, end: record.row.upperBound, layout: record.layout)
    }

    /// The row of a common record; nil if the slow path is needed.
    @inlinable @inline(__always)
    func common(_ id: UInt64, at offset: Int, in payload: Span<UInt8>) -> Place? {
        // The three loads read at most this many bytes.
        guard offset >= 0, offset <= payload.count &- 32 else { return nil }
        // The length, in one or two bytes.
        let start: UInt64 = payload.loadLittleEndian(at: offset) ?? 0
        guard start & 0x8080 != 0x8080 else { return nil }
        let isLong = Int(truncatingIfNeeded: (start &>> 7) & 1)
        let upper = (start &>> 8) & 0x7F
        guard isLong == 0 || upper > 0 else { return nil }
        let length = start & 0x7F | (isLong == 0 ? 0 : upper &<< 7)
        var position = offset &+ 1 &+ isLong
        let end = position &+ Int(truncatingIfNeeded: length)
        // Kind, entity and id, which are known.
        guard id > 0, id < Self.idMax else { return nil }
        let (number, numberWidth) = Self.varint(id)
        let width = headWidth &+ numberWidth
        guard width <= 64 else { return nil }
        let identity: UInt64 = payload.loadLittleEndian(at: position) ?? 0
        guard (identity ^ (head | number &<< headWidth)) &<< (64 &- width) == 0 else { return nil }
        position &+= Int(truncatingIfNeeded: width &>> 3)
        // The previous sequence, of any value, and the layout, in one byte.
        let rest: UInt64 = payload.loadLittleEndian(at: position) ?? 0
        let previousWidth = (~rest & Self.continuations).trailingZeroBitCount &+ 1
        guard previousWidth <= 48 else { return nil }
        let lastByte = (rest &>> UInt64(truncatingIfNeeded: previousWidth &- 8)) & 0xFF
        let layout = (rest &>> UInt64(truncatingIfNeeded: previousWidth)) & 0xFF
        guard lastByte > 0 || previousWidth == 8, layout &- 1 < 0x7F else { return nil }
        position &+= (previousWidth &>> 3) &+ 1
        guard position <= end, end <= payload.count else { return nil }
        return Place(start: position, end: end, layout: UInt32(truncatingIfNeeded: layout))
    }

    /// An encoded number and its bit width: at most five bytes.
    @inlinable @inline(__always)
    static func varint(_ value: UInt64) -> (bytes: UInt64, width: UInt64) {
        let bits = UInt64(truncatingIfNeeded: 64 &- value.leadingZeroBitCount)
        // Division by seven, rounded up; exact in this range.
        let width = (((bits &+ 6) &* 37) &>> 8) &<< 3
        let spread =
            (value & 0x7F) | (value & 0x3F80) &<< 1 | (value & 0x1F_C000) &<< 2
            | (value & 0xFE0_0000) &<< 3 | (value & 0x7_F000_0000) &<< 4
        return (spread | continuations & ((1 &<< (width &- 8)) &- 1), width)
    }
}
