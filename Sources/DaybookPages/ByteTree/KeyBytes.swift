internal import DaybookBytes

/// An unowned byte string with the comparisons that trees of byte strings need. The creator must
/// keep the memory alive while the value is in use.
///
/// Indexes are checked in debug builds only. Callers compare them with `count`, with a result of
/// ``commonLength(with:)``, or with lengths that `GroupDecoder` validated.
@safe
struct KeyBytes {
    let base: UnsafeRawPointer
    let count: Int

    @inline(__always)
    init(_ base: UnsafeRawPointer, count: Int) {
        // SAFETY: the caller passes `count` bytes that outlive this value's use.
        unsafe self.base = base
        self.count = count
    }

    @inline(__always)
    init(_ buffer: UnsafeRawBufferPointer) {
        // SAFETY: an empty buffer has no bytes, and then the address is never read.
        unsafe base = buffer.baseAddress ?? UnsafeRawPointer(bitPattern: 1).unsafelyUnwrapped
        count = buffer.count
    }

    @inline(__always)
    subscript(index: Int) -> UInt8 {
        assert(index >= 0 && index < count, "byte outside")
        // SAFETY: the byte is in range: callers count up to `count` or to a common length, or use a
        // chain whose length `GroupDecoder` compared with its cell.
        return unsafe base.load(fromByteOffset: index, as: UInt8.self)
    }

    /// A part of the bytes.
    @inline(__always)
    func part(from start: Int, count length: Int) -> KeyBytes {
        assert(start >= 0 && length >= 0 && start + length <= count, "part outside")
        // SAFETY: the part is in range: callers pass common lengths, remainders of `count`, and
        // lengths of prefixes and suffixes, whose sum `GroupDecoder` bounded.
        return unsafe KeyBytes(base.advanced(by: start), count: length)
    }

    /// The bytes from `start`.
    @inline(__always)
    func rest(from start: Int) -> KeyBytes { part(from: start, count: count - start) }

    /// The four bytes from `start` as a number with the same order; missing bytes are zeros.
    @inline(__always)
    func head(from start: Int) -> UInt32 {
        let left = count - start
        if left >= 4 {
            // SAFETY: at least four bytes remain from `start`.
            return UInt32(
                bigEndian: unsafe base.loadUnaligned(fromByteOffset: start, as: UInt32.self))
        }
        var head: UInt32 = 0
        for index in 0..<max(left, 0) { head |= UInt32(self[start + index]) << (24 - 8 * index) }
        return head
    }

    /// The length of the common prefix.
    @inline(__always)
    func commonLength(with other: KeyBytes) -> Int {
        let length = min(count, other.count)
        var index = 0
        while index + 8 <= length {
            // SAFETY: at least eight bytes remain in both.
            let one = unsafe base.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            let two = unsafe other.base.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            let difference = (one ^ two).littleEndian
            if difference != 0 { return index + difference.trailingZeroBitCount >> 3 }
            index += 8
        }
        while index < length && self[index] == other[index] { index += 1 }
        return index
    }

    /// Compares lexicographically. The result is negative, zero or positive.
    @inline(__always)
    func compare(_ other: KeyBytes) -> Int {
        let common = commonLength(with: other)
        if common < count && common < other.count { return Int(self[common]) - Int(other[common]) }
        return count - other.count
    }

    func append(to writer: inout ByteWriter) {
        // SAFETY: `base` has `count` bytes, which are copied at once.
        let buffer = unsafe UnsafeRawBufferPointer(start: base, count: count)
        unsafe buffer.withMemoryRebound(to: UInt8.self) { buffer in
            unsafe writer.append(buffer.span)
        }
    }

    /// A copy of the bytes.
    var array: [UInt8] {
        // SAFETY: `base` has `count` bytes.
        unsafe [UInt8](UnsafeRawBufferPointer(start: base, count: count))
    }
}

extension Span<UInt8> {
    /// Runs `body` with the bytes. `body` must not keep them.
    @inline(__always)
    func withKeyBytes<Result, Failure: Error>(
        _ body: (KeyBytes) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // SAFETY: the buffer is valid until `body` returns.
        try unsafe withUnsafeBytes { (buffer) throws(Failure) -> Result in
            try body(unsafe KeyBytes(buffer))
        }
    }
}
