/// The text between the tags of XML.
enum XMLText {
    /// Returns a text with its references replaced. Throws `Malformed` for an unknown or
    /// incomplete one.
    static func decode(_ text: ArraySlice<UInt8>) throws(XMLNode.Malformed) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(text.count)
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == 0x26 else {
                decoded.append(byte)
                continue
            }
            // The longest reference has eight characters.
            guard let end = rest.prefix(9).firstIndex(of: 0x3B),
                let scalar = scalar(String(decoding: rest[..<end], as: UTF8.self))
            else { throw XMLNode.Malformed(description: "the answer has an unknown reference") }
            decoded += Array(String(Character(scalar)).utf8)
            rest = rest[(end + 1)...]
        }
        return decoded
    }

    /// Returns the character of a reference; nil for an unknown one.
    private static func scalar(_ name: String) -> Unicode.Scalar? {
        switch name {
        case "amp": "&"
        case "lt": "<"
        case "gt": ">"
        case "quot": "\""
        case "apos": "'"
        default: number(name.utf8.dropFirst(), name).flatMap { Unicode.Scalar($0) }
        }
    }

    /// Returns the number of a reference such as `#228` or `#xE4`.
    private static func number(_ digits: Substring.UTF8View, _ name: String) -> UInt32? {
        // A sign is not a digit.
        guard name.utf8.first == 0x23, digits.first != 0x2B, digits.first != 0x2D else {
            return nil
        }
        guard digits.first == 0x78 else { return UInt32(Substring(digits)) }
        let hexadecimal = digits.dropFirst()
        return hexadecimal.first == 0x2B || hexadecimal.first == 0x2D
            ? nil : UInt32(Substring(hexadecimal), radix: 16)
    }
}
