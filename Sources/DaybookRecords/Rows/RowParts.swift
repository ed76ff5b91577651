public import DaybookBytes  // what is inlined elsewhere names its types

/// The parts of a row, for callers that know the positions of its fields, and for ``RowView``. It
/// does not retain a layout, so creating one costs only a few comparisons.
@usableFromInline package struct RowParts: ~Escapable {
    @usableFromInline package let bytes: Span<UInt8>
    @usableFromInline let tableStart: Int
    @usableFromInline let variableStart: Int
    @usableFromInline let isWide: Bool

    /// Checks a row of a layout with that ``RowLayout/fixedLength`` and
    /// ``RowLayout/variableCount``. Throws `.corruption` like ``RowView``.
    @_lifetime(copy bytes)
    @inlinable @inline(__always)
    package init(
        _ bytes: Span<UInt8>, fixedLength: Int, variableCount: Int
    ) throws(DaybookError) {
        guard bytes.count >= fixedLength, fixedLength > 0 else {
            throw RowView.tooShort(bytes.count)
        }
        let header = bytes[0]
        guard header & ~RowFormat.headerIsWide == 0 else { throw RowView.unknownHeader(header) }
        let isWide = header != 0
        let variableStart = fixedLength &+ (variableCount &<< (isWide ? 2 : 1))
        guard bytes.count >= variableStart else { throw RowView.tooShort(bytes.count) }
        self.bytes = bytes
        tableStart = fixedLength
        self.variableStart = variableStart
        self.isWide = isWide
        let length = variableCount == 0 ? 0 : end(variableCount &- 1)
        guard length == bytes.count &- variableStart else {
            throw RowView.wrongLength(bytes.count)
        }
    }

    /// Whether the field at an index of the layout is null.
    @inlinable @inline(__always)
    package func isNull(_ field: Int) -> Bool {
        bytes[1 &+ (field &>> 3)] & (1 &<< UInt8(truncatingIfNeeded: field & 7)) != 0
    }

    /// The number at the offset of a ``RowLayout/Slot``.
    @inlinable @inline(__always)
    package func load<Value: FixedWidthInteger & BitwiseCopyable>(
        _ type: Value.Type = Value.self, at offset: Int
    ) -> Value {
        // The initializer checked the length, so the value exists.
        bytes.loadLittleEndian(Value.self, at: offset) ?? 0
    }

    /// The bytes of a variable field. Throws `.corruption` if its end offsets decrease or exceed
    /// the row.
    @inlinable @inline(__always)
    @_lifetime(copy self)
    package func variable(_ place: Int) throws(DaybookError) -> Span<UInt8> {
        let start = place == 0 ? 0 : end(place &- 1)
        let end = end(place)
        guard start <= end, end <= bytes.count &- variableStart else {
            throw RowView.wrongOffsets(place)
        }
        return bytes.extracting((variableStart &+ start)..<(variableStart &+ end))
    }

    /// The stored end of a variable field, relative to the first variable byte.
    @inlinable @inline(__always)
    func end(_ place: Int) -> Int {
        if isWide {
            return Int(bytes.loadLittleEndian(UInt32.self, at: tableStart &+ place &* 4) ?? 0)
        }
        return Int(bytes.loadLittleEndian(UInt16.self, at: tableStart &+ place &* 2) ?? 0)
    }

    /// Whether the end offsets are ascending.
    var hasAscendingEnds: Bool {
        let count = (variableStart - tableStart) >> (isWide ? 2 : 1)
        var last = 0
        for place in 0..<count {
            let end = end(place)
            guard end >= last else { return false }
            last = end
        }
        return true
    }
}
