/// A growing buffer, written little-endian from front to back. Earlier bytes can be patched.
///
/// The type is `@usableFromInline`; without it, other modules cannot inline the methods of a
/// `package` type. A small write from another module costs 3 ns. Most of that is two uniqueness
/// checks, because copies have value semantics.
@usableFromInline package struct ByteWriter: Sendable {
    // `storage` is larger than `count`, so that a write is a store instead of an append.
    @usableFromInline var storage: [UInt8]
    /// The number of written bytes.
    @usableFromInline package internal(set) var count: Int

    /// Makes an empty buffer with room for `capacity` bytes.
    package init(capacity: Int = 64) {
        storage = [UInt8](repeating: 0, count: max(capacity, 16))
        count = 0
    }

    /// A copy of the written bytes.
    package var bytes: [UInt8] { Array(storage[0..<count]) }

    /// The written bytes, without a copy.
    package var span: Span<UInt8> {
        @_lifetime(borrow self) get { storage.span.extracting(0..<count) }
    }

    /// Discards the written bytes and keeps the allocation.
    package mutating func removeAll() { count = 0 }

    /// Discards the bytes after `count`.
    package mutating func truncate(to newCount: Int) {
        precondition(newCount >= 0 && newCount <= count, "truncate forwards")
        count = newCount
    }

    @inlinable @inline(__always)
    package mutating func uint8(_ value: UInt8) { store(value) }
    @inlinable @inline(__always)
    package mutating func uint16(_ value: UInt16) { store(value.littleEndian) }
    @inlinable @inline(__always)
    package mutating func uint32(_ value: UInt32) { store(value.littleEndian) }
    @inlinable @inline(__always)
    package mutating func uint64(_ value: UInt64) { store(value.littleEndian) }

    /// Writes LEB128: seven bits per byte, the low bits first. Every byte except the last has its
    /// high bit set.
    @inlinable @inline(__always)
    package mutating func varint(_ value: UInt64) {
        if value < 0x80 {
            store(UInt8(truncatingIfNeeded: value))
        } else {
            longVarint(value)
        }
    }

    /// Writes a signed number. Numbers near zero, of either sign, take few bytes.
    @inlinable package mutating func zigzag(_ value: Int64) { varint(Varint.zigzag(value)) }

    /// Writes the length as a varint, then the bytes.
    @inlinable package mutating func lengthPrefixed(_ bytes: Span<UInt8>) {
        varint(UInt64(bytes.count))
        append(bytes)
    }

    /// Writes the length as a varint, then the text as UTF-8.
    package mutating func text(_ text: String) {
        var text = text
        text.withUTF8 { buffer in
            // SAFETY: the span does not leave this closure, and the buffer does not change in it.
            lengthPrefixed(unsafe Span(_unsafeElements: buffer))
        }
    }

    /// Writes the bytes without a length.
    @inlinable package mutating func append(_ bytes: Span<UInt8>) {
        let length = bytes.count
        guard length > 0 else { return }
        reserve(length)
        let start = count
        // SAFETY: reserve() above made room for `length` bytes from `start`; the buffers are
        // distinct.
        unsafe storage.withUnsafeMutableBytes { target in
            unsafe bytes.withUnsafeBytes { source in
                unsafe target.baseAddress!.advanced(by: start)
                    .copyMemory(from: source.baseAddress!, byteCount: length)
            }
        }
        count += length
    }

    /// Writes `length` zero bytes, as padding or to be patched later.
    package mutating func zeros(_ length: Int) {
        precondition(length >= 0, "a negative number of zeros")
        reserve(length)
        for index in count..<(count + length) { storage[index] = 0 }
        count += length
    }

    @inlinable @inline(__always)
    package mutating func patch(uint8 value: UInt8, at offset: Int) { patch(value, at: offset) }
    @inlinable @inline(__always)
    package mutating func patch(uint16 value: UInt16, at offset: Int) {
        patch(value.littleEndian, at: offset)
    }
    @inlinable @inline(__always)
    package mutating func patch(uint32 value: UInt32, at offset: Int) {
        patch(value.littleEndian, at: offset)
    }
    @inlinable @inline(__always)
    package mutating func patch(uint64 value: UInt64, at offset: Int) {
        patch(value.littleEndian, at: offset)
    }

    @usableFromInline mutating func longVarint(_ value: UInt64) {
        reserve(Varint.lengthMax)
        let start = count
        // SAFETY: reserve() above made room for the longest varint from `start`.
        count += unsafe storage.withUnsafeMutableBytes { target in
            var rest = value
            var length = 0
            while rest >= 0x80 {
                unsafe target[start + length] = UInt8(truncatingIfNeeded: rest) | 0x80
                length += 1
                rest >>= 7
            }
            unsafe target[start + length] = UInt8(truncatingIfNeeded: rest)
            return length + 1
        }
    }

    @inlinable @inline(__always)
    mutating func reserve(_ length: Int) {
        if length > storage.count - count { grow(by: length) }
    }

    @usableFromInline @inline(never)
    mutating func grow(by length: Int) {
        let written = storage
        storage = [UInt8](repeating: 0, count: max(count + length, storage.count * 2))
        let kept = count
        unsafe storage.withUnsafeMutableBytes { target in
            // SAFETY: the new memory is larger than the old, of which `kept` bytes are in use.
            unsafe written.withUnsafeBytes { source in
                unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[..<kept]))
            }
        }
    }

    @inlinable @inline(__always)
    mutating func store<Value: FixedWidthInteger & BitwiseCopyable>(_ value: Value) {
        reserve(MemoryLayout<Value>.size)
        let start = count
        // SAFETY: reserve() above made room for the value from `start`.
        unsafe storage.withUnsafeMutableBytes { target in
            unsafe target.storeBytes(of: value, toByteOffset: start, as: Value.self)
        }
        count += MemoryLayout<Value>.size
    }

    @inlinable @inline(__always)
    mutating func patch<Value: FixedWidthInteger & BitwiseCopyable>(
        _ value: Value, at offset: Int
    ) {
        precondition(offset >= 0 && offset + MemoryLayout<Value>.size <= count, "patch outside")
        // SAFETY: the precondition above keeps the value within the written bytes.
        unsafe storage.withUnsafeMutableBytes { target in
            unsafe target.storeBytes(of: value, toByteOffset: offset, as: Value.self)
        }
    }
}
