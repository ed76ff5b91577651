package import DaybookBytes

/// The text of a UUID: `8-4-4-4-12` hexadecimal digits in capitals.
package enum UUIDText {
    /// Throws `.corruption` unless there are 16 bytes.
    package static func text(_ bytes: Span<UInt8>) throws(DaybookError) -> String {
        guard bytes.count == 16 else {
            throw DaybookError(
                .corruption,
                "A UUID is damaged: it has \(bytes.count) bytes. Restore the store from a backup.")
        }
        var text = ""
        text.reserveCapacity(36)
        for index in 0..<16 {
            if [4, 6, 8, 10].contains(index) { text.append("-") }
            let byte = bytes[index]
            if byte < 16 { text.append("0") }
            text.append(String(byte, radix: 16, uppercase: true))
        }
        return text
    }
}

extension UUIDText {
    /// Appends the 16 bytes of such a text; false for any other text.
    package static func decode(_ text: Span<UInt8>, to writer: inout ByteWriter) -> Bool {
        guard text.count == 36 else { return false }
        var index = 0
        while index < 36 {
            if [8, 13, 18, 23].contains(index) {
                guard text[index] == 0x2D else { return false }
                index += 1
            }
            guard let high = HexadecimalDigit.value(of: text[index]),
                let low = HexadecimalDigit.value(of: text[index + 1])
            else { return false }
            writer.uint8(high << 4 | low)
            index += 2
        }
        return true
    }
}
