package import DaybookBytes

/// Base64: six bits per letter, in groups of four, padded with `=` (RFC 4648, section 4).
package enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    package static func append(_ bytes: Span<UInt8>, to writer: inout ByteWriter) {
        let alphabet = alphabet
        var index = 0
        while index < bytes.count {
            let count = min(3, bytes.count - index)
            var group: UInt32 = 0
            for place in 0..<3 {
                group = group << 8 | (place < count ? UInt32(bytes[index + place]) : 0)
            }
            for letter in 0..<4 {
                // One byte takes two letters, two bytes take three.
                let bits = Int(group >> UInt32(18 - 6 * letter)) & 0x3F
                writer.uint8(letter <= count ? alphabet[bits] : 0x3D)
            }
            index += count
        }
    }
}

extension Base64 {
    /// Appends the bytes of a text written by ``append(_:to:)``; false for any other text.
    package static func decode(_ text: Span<UInt8>, to writer: inout ByteWriter) -> Bool {
        guard text.count % 4 == 0 else { return false }
        for start in stride(from: 0, to: text.count, by: 4) {
            var group: UInt32 = 0
            var fillCount = 0
            for place in 0..<4 {
                let byte = text[start + place]
                let isFill = byte == 0x3D && start + 4 == text.count && place >= 2
                guard isFill || fillCount == 0, let bits = isFill ? 0 : bits(of: byte) else {
                    return false
                }
                if isFill { fillCount += 1 }
                group = group << 6 | bits
            }
            // The unused bits of the last letter must be zero, so that equal bytes have equal
            // texts.
            guard group & (1 << UInt32(8 * fillCount) - 1) == 0 else { return false }
            for place in 0..<(3 - fillCount) {
                writer.uint8(UInt8(truncatingIfNeeded: group >> UInt32(16 - 8 * place)))
            }
        }
        return true
    }

    private static func bits(of letter: UInt8) -> UInt32? {
        switch letter {
        case 0x41...0x5A: UInt32(letter) - 0x41
        case 0x61...0x7A: UInt32(letter) - 0x61 + 26
        case 0x30...0x39: UInt32(letter) - 0x30 + 52
        case 0x2B: 62
        case 0x2F: 63
        default: nil
        }
    }
}
