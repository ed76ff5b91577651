/// The percent-encoding of signatures: each byte except letters, digits, `-`, `.`, `_` and `~`.
enum URIEncoding {
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Returns an encoded text. `keepsSlashes` is for paths.
    static func encode(_ text: String, keepsSlashes: Bool = false) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if isUnreserved(byte) || keepsSlashes && byte == 0x2F {
                bytes.append(byte)
            } else {
                bytes += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns a decoded text, where `+` is a space as in forms; nil if an escape is incomplete or
    /// the bytes are not UTF-8.
    static func decodeForm(_ text: String) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case 0x2B: bytes.append(0x20)
            case 0x25:
                guard let high = rest.popFirst().flatMap(value),
                    let low = rest.popFirst().flatMap(value)
                else { return nil }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: true
        default: false
        }
    }

    /// The value of a hexadecimal digit.
    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x41...0x46: digit - 0x41 + 10
        case 0x61...0x66: digit - 0x61 + 10
        default: nil
        }
    }
}
