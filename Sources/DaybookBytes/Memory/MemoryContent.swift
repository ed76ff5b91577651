/// The bytes of a file in memory, as a value. Copies share unchanged chunks.
///
/// A short or missing chunk reads as zeros, so preallocation takes no memory, and a write touches
/// only the chunks in its range.
package struct MemoryContent: Sendable {
    /// The maximum size of a file, 64 GiB, which limits the table of chunks.
    static let sizeMax = 1 << 36
    fileprivate static let chunkLength = 16 << 10

    private var chunks: [[UInt8]] = []
    package private(set) var size = 0

    /// Creates an empty file.
    init() {}

    init(_ bytes: [UInt8]) {
        write(bytes.span, at: 0)
    }

    /// A copy of all bytes.
    var bytes: [UInt8] { piece(size, at: 0).bytes }

    /// A range of bytes that shares chunks. The reader copies the bytes after it releases the lock.
    struct Piece: Sendable {
        fileprivate let chunks: ArraySlice<[UInt8]>
        fileprivate let firstChunk: Int
        fileprivate let offset: Int
        fileprivate let count: Int
    }

    /// Returns up to `count` bytes from `offset`, fewer at the end. Both must be at least 0.
    func piece(_ count: Int, at offset: Int) -> Piece {
        let length = max(0, min(count, size - offset))
        let first = min(chunks.count, offset / Self.chunkLength)
        let end = min(chunks.count, (offset + length + Self.chunkLength - 1) / Self.chunkLength)
        // Copies the references of the range; a slice would retain the whole table.
        let taken = length > 0 && first < end ? Array(chunks[first..<end])[...] : []
        return Piece(chunks: taken, firstChunk: first, offset: offset, count: length)
    }

    /// Writes bytes and extends the file if necessary. The end must be within ``sizeMax``.
    package mutating func write(_ bytes: Span<UInt8>, at offset: Int) {
        guard bytes.count > 0 else { return }
        let end = offset + bytes.count
        precondition(offset >= 0 && end <= Self.sizeMax, "the caller checks the offset")
        var written = 0
        while written < bytes.count {
            let (index, start) = (offset + written).quotientAndRemainder(
                dividingBy: Self.chunkLength)
            let length = min(Self.chunkLength - start, bytes.count - written)
            while chunks.count <= index { chunks.append([]) }
            // A file with several chunks is likely to grow, so its chunks get their full capacity.
            if index > 0, chunks[index].isEmpty { chunks[index].reserveCapacity(Self.chunkLength) }
            chunks[index].overwrite(bytes.extracting(written..<(written + length)), at: start)
            written += length
        }
        size = max(size, end)
    }

    /// Truncates or extends the file, to at most ``sizeMax``.
    package mutating func resize(to newSize: Int) {
        precondition(newSize >= 0 && newSize <= Self.sizeMax, "the caller checks the size")
        if newSize < size {
            // Truncated bytes must not reappear when the file grows again.
            let (index, length) = newSize.quotientAndRemainder(dividingBy: Self.chunkLength)
            if chunks.count > index + 1 { chunks.removeLast(chunks.count - index - 1) }
            if chunks.count > index, chunks[index].count > length {
                chunks[index].removeLast(chunks[index].count - length)
            }
        }
        size = newSize
    }

    /// Extends the file to `newSize` if it is smaller.
    package mutating func grow(to newSize: Int) {
        if newSize > size { resize(to: newSize) }
    }

    /// A hash of the content; equal for equal contents, however their zeros are stored.
    package var hash: UInt64 {
        var hash = XXH64(seed: UInt64(size))
        var numbers = ByteWriter()
        for (index, chunk) in chunks.enumerated() {
            let length = (chunk.lastIndex { $0 != 0 } ?? -1) + 1
            guard length > 0 else { continue }
            numbers.removeAll()
            numbers.uint64(UInt64(index))
            hash.update(numbers.span)
            hash.update(chunk.span.extracting(0..<length))
        }
        return hash.digest()
    }
}

extension MemoryContent.Piece {
    /// A copy of the bytes.
    var bytes: [UInt8] {
        // SAFETY: `copied` grows to at most `count`, in steps that end within a chunk. Missing
        // bytes are filled with zeros.
        unsafe [UInt8](unsafeUninitializedCapacity: count) { target, filled in
            var copied = 0
            while copied < count {
                let (index, start) = (offset + copied)
                    .quotientAndRemainder(dividingBy: MemoryContent.chunkLength)
                let length = min(MemoryContent.chunkLength - start, count - copied)
                let place = index - firstChunk
                let present =
                    place < chunks.count ? max(0, min(length, chunks[place].count - start)) : 0
                let base = unsafe target.baseAddress! + copied
                if present > 0 {
                    unsafe chunks[place].withUnsafeBufferPointer {
                        unsafe base.initialize(from: $0.baseAddress! + start, count: present)
                    }
                }
                unsafe (base + present).initialize(repeating: 0, count: length - present)
                copied += length
            }
            filled = count
        }
    }
}

extension [UInt8] {
    /// Writes bytes at `offset`; a gap after the end of the array is filled with zeros.
    fileprivate mutating func overwrite(_ bytes: Span<UInt8>, at offset: Int) {
        if count < offset { append(contentsOf: repeatElement(0, count: offset - count)) }
        let overlap = Swift.min(count - offset, bytes.count)
        // SAFETY: `overlap` bytes are within both buffers, which are distinct memory.
        unsafe bytes.withUnsafeBufferPointer { source in
            unsafe withUnsafeMutableBufferPointer { target in
                if overlap > 0 {
                    unsafe (target.baseAddress! + offset).update(
                        from: source.baseAddress!, count: overlap)
                }
            }
            if overlap < source.count { unsafe append(contentsOf: source[overlap...]) }
        }
    }
}
