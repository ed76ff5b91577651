/// Encodes strings with the tokens of a table.
///
/// The encoder holds the structures that find tokens: 1.6 MB for a table of 32,768 tokens, which
/// take about 1 ms to make. It is immutable; all threads can share it.
package struct TokenEncoder: Sendable {
    private let matcher: TokenMatcher
    private let oneByteCount: Int

    /// Prepares the tokens of a table.
    package init(_ table: TokenTable) {
        let decoder = table.decoder
        var matcher = TokenMatcher(capacity: decoder.values.count)
        for (value, length) in zip(decoder.values, decoder.lengths) {
            matcher.add(UInt128(littleEndian: value), length: Int(length))
        }
        self.matcher = matcher
        oneByteCount = decoder.oneByteCount
    }

    /// Appends the codes of a string. They are at most twice as long as the string.
    ///
    /// At each place the longest token is taken. The same string always has the same codes. The
    /// result has no length of its own: the caller stores it, and the length of the string.
    package func encode(_ text: Span<UInt8>, to writer: inout ByteWriter) {
        let count = text.count
        writer.reserve(2 * count)
        let tail = TokenTail(text)
        let start = writer.count
        let oneByteCount = oneByteCount
        // SAFETY: reserve() above made room for two bytes from `start` for each byte of the text,
        // and each code, of at most two bytes, takes at least one byte of the text.
        writer.count = unsafe writer.storage.withUnsafeMutableBytes { target in
            var written = start
            var place = 0
            while place < count {
                let value = text.loadLittleEndian(UInt128.self, at: place) ?? tail.value(place)
                let token = matcher.longest(value, lengthMax: min(16, count &- place))
                if token < oneByteCount {
                    unsafe target[written] = UInt8(truncatingIfNeeded: token)
                    written &+= 1
                } else {
                    let rest = token &- oneByteCount
                    unsafe target[written] = UInt8(
                        truncatingIfNeeded: oneByteCount &+ rest &>> 8)
                    unsafe target[written &+ 1] = UInt8(truncatingIfNeeded: rest)
                    written &+= 2
                }
                place &+= Int(matcher.lengths[token])
            }
            return written
        }
    }
}

/// The last 16 bytes of a string, or all if it is shorter, from which 16 bytes at a place near the
/// end are shifted.
private struct TokenTail {
    private let bytes: UInt128
    private let start: Int

    init(_ text: Span<UInt8>) {
        start = max(0, text.count - 16)
        if let bytes = text.loadLittleEndian(UInt128.self, at: start) {
            self.bytes = bytes
        } else {
            var bytes: UInt128 = 0
            for index in text.indices {
                bytes |= UInt128(text[index]) &<< UInt128(truncatingIfNeeded: 8 &* index)
            }
            self.bytes = bytes
        }
    }

    /// The bytes from `place` on, padded with zeros. It must be one of the last 16 places.
    @inline(__always)
    func value(_ place: Int) -> UInt128 {
        bytes &>> UInt128(truncatingIfNeeded: 8 &* (place &- start))
    }
}
