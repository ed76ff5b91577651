import DaybookBytes

/// A text that arrives in pieces, read byte by byte. Memory: one piece.
struct ByteSource {
    private let read: () throws(DaybookError) -> [UInt8]
    private var piece: [UInt8] = []
    private var offset = 0
    private var isAtEnd = false
    /// The number of bytes in the pieces before the current one.
    private var byteCountBefore = 0

    /// - Parameter read: returns the next piece; an empty piece at the end.
    init(_ read: @escaping () throws(DaybookError) -> [UInt8]) { self.read = read }

    /// The number of bytes that were read.
    var byteCount: Int { byteCountBefore + offset }

    /// The next byte, which is not consumed; nil at the end.
    mutating func peek() throws(DaybookError) -> UInt8? {
        if offset == piece.count {
            if isAtEnd { return nil }
            byteCountBefore += piece.count
            piece = try read()
            offset = 0
            isAtEnd = piece.isEmpty
            if isAtEnd { return nil }
        }
        return piece[offset]
    }

    /// Consumes the next byte; nil at the end.
    mutating func next() throws(DaybookError) -> UInt8? {
        guard let byte = try peek() else { return nil }
        offset += 1
        return byte
    }

    /// Consumes the next byte if it is the given one.
    mutating func take(_ byte: UInt8) throws(DaybookError) -> Bool {
        guard try peek() == byte else { return false }
        offset += 1
        return true
    }

    /// Consumes the mark of UTF-8 (EF BB BF) at the beginning of the text, if there is one. Returns
    /// false if only a part of the mark is there, which is not UTF-8.
    mutating func skipByteOrderMark() throws(DaybookError) -> Bool {
        guard try take(0xEF) else { return true }
        guard try take(0xBB) else { return false }
        return try take(0xBF)
    }
}
