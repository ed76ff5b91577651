/// Reads little-endian values from a span, from front to back. A read past the end, an overlong
/// varint and ill-formed text are `.corruption`; no input traps.
///
/// The type is `@usableFromInline` for the reason given in ``ByteWriter``: other modules then read
/// a fixed width in less than 1 ns.
@usableFromInline package struct ByteReader: ~Escapable {
    @usableFromInline let bytes: Span<UInt8>
    /// The offset of the next read.
    @usableFromInline package internal(set) var offset: Int

    @_lifetime(copy bytes)
    @inlinable package init(_ bytes: Span<UInt8>) {
        self.bytes = bytes
        offset = 0
    }

    /// Starts at `offset`, a position from an earlier reader of the same bytes.
    @_lifetime(copy bytes)
    @inlinable package init(_ bytes: Span<UInt8>, from offset: Int) {
        precondition(offset >= 0 && offset <= bytes.count, "the offset is outside")
        self.bytes = bytes
        self.offset = offset
    }

    /// The number of unread bytes.
    @inlinable package var remaining: Int { bytes.count - offset }
    /// Whether all bytes were read.
    @inlinable package var isAtEnd: Bool { offset == bytes.count }

    @inlinable package mutating func uint8() throws(DaybookError) -> UInt8 { try load() }
    @inlinable package mutating func uint16() throws(DaybookError) -> UInt16 {
        UInt16(littleEndian: try load())
    }
    @inlinable package mutating func uint32() throws(DaybookError) -> UInt32 {
        UInt32(littleEndian: try load())
    }
    @inlinable package mutating func uint64() throws(DaybookError) -> UInt64 {
        UInt64(littleEndian: try load())
    }

    /// Reads a number in the encoding of ``ByteWriter/varint(_:)``. An encoding with needless bytes
    /// is `.corruption`, so that equal numbers always have equal bytes.
    @inlinable package mutating func varint() throws(DaybookError) -> UInt64 {
        if offset < bytes.count {
            let byte = bytes[offset]
            if byte < 0x80 {
                offset += 1
                return UInt64(byte)
            }
        }
        return try longVarint()
    }

    @usableFromInline mutating func longVarint() throws(DaybookError) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while offset < bytes.count {
            let byte = bytes[offset]
            offset += 1
            if shift == 63 && byte > 1 { throw Self.damaged("a number is longer than 64 bits") }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 {
                if byte == 0 && shift > 0 { throw Self.damaged("a number has needless bytes") }
                return value
            }
            shift += 7
        }
        throw Self.damaged("a number runs past the end")
    }

    /// A varint that must fit a non-negative `Int`.
    @inlinable package mutating func length() throws(DaybookError) -> Int {
        let value = try varint()
        guard let length = Int(exactly: value) else { throw Self.tooLarge() }
        return length
    }

    @inlinable package mutating func zigzag() throws(DaybookError) -> Int64 {
        Varint.unzigzag(try varint())
    }

    /// Returns the next `count` bytes without copying them.
    @_lifetime(copy self)
    @inlinable package mutating func take(_ count: Int) throws(DaybookError) -> Span<UInt8> {
        guard count >= 0, count <= remaining else {
            throw Self.tooShort(count, remaining)
        }
        defer { offset += count }
        return bytes.extracting(offset..<(offset + count))
    }

    /// Reads a length as a varint and returns that many bytes without copying them.
    @_lifetime(copy self)
    @inlinable package mutating func lengthPrefixed() throws(DaybookError) -> Span<UInt8> {
        try take(try length())
    }

    /// Reads a length as a varint, then that many bytes of UTF-8.
    package mutating func text() throws(DaybookError) -> String {
        try String(checkingUTF8: try lengthPrefixed())
    }

    /// Skips `count` bytes.
    @inlinable package mutating func skip(_ count: Int) throws(DaybookError) { _ = try take(count) }

    @inlinable @inline(__always)
    mutating func load<Value: FixedWidthInteger & BitwiseCopyable>()
        throws(DaybookError) -> Value
    {
        let size = MemoryLayout<Value>.size
        guard size <= remaining else { throw Self.tooShort(size, remaining) }
        let start = offset
        offset += size
        // SAFETY: the guard above keeps `start ..< start + size` within the span.
        return unsafe bytes.withUnsafeBytes {
            unsafe $0.loadUnaligned(fromByteOffset: start, as: Value.self)
        }
    }

    // Error messages are built out of line, which keeps the inlined code small.

    @usableFromInline @inline(never)
    static func tooShort(_ count: Int, _ remaining: Int) -> DaybookError {
        damaged("\(count) bytes are expected and \(remaining) are left")
    }

    @usableFromInline @inline(never)
    static func tooLarge() -> DaybookError { damaged("a length is too large") }

    private static func damaged(_ what: String) -> DaybookError {
        DaybookError(.corruption, "The bytes are damaged: \(what).")
    }
}

extension Span<UInt8> {
    /// A copy of the bytes.
    package var array: [UInt8] {
        let count = count
        // SAFETY: the capacity is `count`, and exactly `count` bytes are copied.
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { target, initialized in
            unsafe withUnsafeBytes { source in
                unsafe UnsafeMutableRawBufferPointer(target).copyMemory(from: source)
            }
            initialized = count
        }
    }

    /// Loads a little-endian number at `offset`; nil if it does not fit.
    @inlinable @inline(__always)
    package func loadLittleEndian<Value: FixedWidthInteger & BitwiseCopyable>(
        _ type: Value.Type = Value.self, at offset: Int
    ) -> Value? {
        guard offset >= 0, offset <= count - MemoryLayout<Value>.size else { return nil }
        // SAFETY: the guard above keeps the value within the span.
        return unsafe withUnsafeBytes {
            Value(littleEndian: unsafe $0.loadUnaligned(fromByteOffset: offset, as: Value.self))
        }
    }
}
