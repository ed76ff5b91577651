/// A table of tokens: up to 32,768 byte strings of 1 to 16 bytes, for which codes of one or two
/// bytes are stored.
///
/// A string that is encoded with a table is decoded with this table only, without any other string.
/// Every table contains all 256 single bytes, so every string can be encoded. The table is
/// immutable; all threads can share it. In memory it takes 17 bytes for each token, in addition to
/// ``bytes``.
package final class TokenTable: Sendable {
    /// The maximum length of a token in bytes.
    static let tokenLengthMax = 16
    /// The maximum number of tokens in a table.
    static let tokenCountMax = 32768
    /// The number of single bytes, all of which are tokens.
    static let singleCount = 256
    /// The first bytes of every stored table: "DTOK".
    static let magic: [UInt8] = [0x44, 0x54, 0x4F, 0x4B]
    /// The only format so far.
    static let format: UInt8 = 1

    /// The stored form, for ``init(bytes:)``.
    package let bytes: [UInt8]
    /// The decoder of the texts.
    package let decoder: TokenDecoder

    /// Reads a stored table.
    ///
    /// The cost is proportional to the number of tokens: about 1 ms for 32,768.
    ///
    /// - Throws: `.corruption` if the bytes are not exactly one valid stored table.
    package init(bytes: [UInt8]) throws(DaybookError) {
        let header = try Header(bytes.span)
        var values: [UInt128] = []
        values.reserveCapacity(header.tokenCount)
        var isSinglePresent = [Bool](repeating: false, count: Self.singleCount)
        var place = header.contentStart
        for length in header.lengths {
            let end = place + Int(length)
            guard end <= bytes.count else { throw Self.damaged("the tokens are cut") }
            var value: UInt128 = 0
            for index in place..<end {
                value |= UInt128(bytes[index]) &<< UInt128(8 * (index - place))
            }
            if length == 1 { isSinglePresent[Int(bytes[place])] = true }
            values.append(value.littleEndian)
            place = end
        }
        guard place == bytes.count else {
            throw Self.damaged("\(bytes.count - place) bytes follow the last token")
        }
        if let missing = isSinglePresent.firstIndex(of: false) {
            throw Self.damaged("the byte \(missing) has no token")
        }
        self.bytes = bytes
        decoder = TokenDecoder(
            oneByteCount: header.oneByteCount, values: values, lengths: header.lengths)
    }

    /// Whether the bytes begin like a stored table. They may still be damaged.
    package static func isTable(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count >= magic.count else { return false }
        return magic.indices.allSatisfy { bytes[$0] == magic[$0] }
    }

    /// The stored form of tokens in the order of their codes. They must include all single bytes.
    static func storedForm(values: [UInt128], lengths: [UInt8], oneByteCount: Int) -> [UInt8] {
        var writer = ByteWriter(capacity: Header.length + values.count * 9)
        for byte in magic { writer.uint8(byte) }
        writer.uint8(format)
        writer.uint16(UInt16(oneByteCount))
        writer.uint16(UInt16(values.count))
        for index in stride(from: 0, to: lengths.count, by: 2) {
            let high = index + 1 < lengths.count ? lengths[index + 1] - 1 : 0
            writer.uint8(lengths[index] - 1 | high << 4)
        }
        for (value, length) in zip(values, lengths) {
            for index in 0..<length {
                writer.uint8(UInt8(truncatingIfNeeded: value &>> UInt128(8 * index)))
            }
        }
        return writer.bytes
    }

    /// The number of tokens that a table can have if `oneByteCount` codes have one byte.
    static func capacity(oneByteCount: Int) -> Int {
        oneByteCount + (singleCount - oneByteCount) * 256
    }

    /// The maximum number of one-byte codes in a table with `tokenCount` tokens.
    static func oneByteCountMax(tokenCount: Int) -> Int {
        // Each code of one byte less makes room for 255 tokens.
        singleCount - (max(tokenCount, singleCount) - singleCount + 254) / 255
    }

    static func damaged(_ problem: String) -> DaybookError {
        DaybookError(
            .corruption, "The token table is damaged: \(problem). Restore it from a backup.")
    }
}

extension TokenTable {
    /// The part of a stored table before the bytes of the tokens.
    private struct Header {
        /// The bytes before the lengths of the tokens.
        static let length = TokenTable.magic.count + 5

        let oneByteCount: Int
        let tokenCount: Int
        let lengths: [UInt8]
        /// The offset of the first token's bytes.
        let contentStart: Int

        init(_ bytes: Span<UInt8>) throws(DaybookError) {
            guard TokenTable.isTable(bytes), bytes.count >= Self.length else {
                throw TokenTable.damaged("the header is missing")
            }
            var reader = ByteReader(bytes, from: TokenTable.magic.count)
            let format = try reader.uint8()
            guard format == TokenTable.format else {
                throw TokenTable.damaged("the format \(format) is unknown")
            }
            oneByteCount = Int(try reader.uint16())
            tokenCount = Int(try reader.uint16())
            guard tokenCount >= TokenTable.singleCount, tokenCount <= TokenTable.tokenCountMax,
                oneByteCount <= TokenTable.singleCount,
                tokenCount <= TokenTable.capacity(oneByteCount: oneByteCount)
            else {
                throw TokenTable.damaged(
                    "\(tokenCount) tokens cannot have \(oneByteCount) codes of one byte")
            }
            guard (tokenCount + 1) / 2 <= reader.remaining else {
                throw TokenTable.damaged("the lengths are cut")
            }
            let stored = try reader.take((tokenCount + 1) / 2)
            var lengths: [UInt8] = []
            lengths.reserveCapacity(tokenCount + 1)
            for index in stored.indices {
                lengths.append(stored[index] & 15 + 1)
                lengths.append(stored[index] >> 4 + 1)
            }
            if lengths.count > tokenCount, lengths.removeLast() != 1 {
                throw TokenTable.damaged("a length has no token")
            }
            self.lengths = lengths
            contentStart = reader.offset
        }
    }
}
