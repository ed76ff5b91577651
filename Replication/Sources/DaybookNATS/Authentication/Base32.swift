/// Base32 with the alphabet A–Z and 2–7, without padding.
enum Base32 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    /// Returns the text of bytes.
    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        var buffer: UInt32 = 0
        var bitCount = 0
        for byte in bytes {
            buffer = buffer << 8 | UInt32(byte)
            bitCount += 8
            while bitCount >= 5 {
                bitCount -= 5
                text.append(alphabet[Int(buffer >> UInt32(bitCount) & 31)])
            }
            buffer &= 0xFF
        }
        if bitCount > 0 { text.append(alphabet[Int(buffer << UInt32(5 - bitCount) & 31)]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the bytes of a text; nil for another text.
    static func decode(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer: UInt32 = 0
        var bitCount = 0
        for character in text.utf8 {
            guard let value = alphabet.firstIndex(of: character) else { return nil }
            buffer = buffer << 5 | UInt32(value)
            bitCount += 5
            if bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(buffer >> UInt32(bitCount) & 0xFF))
            }
            buffer &= 0xFF
        }
        // The bits after the last byte are zero, so that each text has one form.
        return bitCount < 5 && buffer & (1 << UInt32(bitCount) - 1) == 0 ? bytes : nil
    }
}
