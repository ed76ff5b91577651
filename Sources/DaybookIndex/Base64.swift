import DaybookBytes

/// Bytes as text: six bits a letter, in groups of four, filled up with `=` (RFC 4648, section 4).
enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func append(_ bytes: Span<UInt8>, to writer: inout ByteWriter) {
        let alphabet = alphabet
        var index = 0
        while index < bytes.count {
            let count = min(3, bytes.count - index)
            var group: UInt32 = 0
            for place in 0..<3 {
                group = group << 8 | (place < count ? UInt32(bytes[index + place]) : 0)
            }
            for letter in 0..<4 {
                // One byte fills two letters, two fill three.
                let bits = Int(group >> UInt32(18 - 6 * letter)) & 0x3F
                writer.uint8(letter <= count ? alphabet[bits] : 0x3D)
            }
            index += count
        }
    }
}
